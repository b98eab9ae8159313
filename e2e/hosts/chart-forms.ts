/** A chart in the form of public ones, in two versions. */
export interface ChartForm {
  readonly name: string
  /** Values without which the rendering is random; undefined for a chart that needs none. */
  readonly values?: string
  /** The value that the message about random fields names. */
  readonly silencer?: string
  /** The number of hooks and tests that are left out. */
  readonly hooks: number
  /** The number of templates that ask the cluster. */
  readonly lookups: number
  /** Returns the files of a version, 0 or 1. */
  readonly files: (version: 0 | 1) => Readonly<Record<string, string>>
}

const chartYaml = (name: string, version: 0 | 1, more = '') =>
  `apiVersion: v2\nname: ${name}\nversion: ${['4.1.0', '4.2.0'][version]}\nappVersion: "${['1.11.0', '1.12.0'][version]}"\n${more}`

const helpers = (name: string) => `{{- define "${name}.fullname" -}}
{{- printf "%s" (default .Release.Name .Values.fullnameOverride) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "${name}.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}
`

const workload = (name: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "${name}.fullname" . }}
  labels:
    {{- include "${name}.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicaCount }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .Chart.Name }}
  template:
    metadata:
      labels:
        {{- include "${name}.labels" . | nindent 8 }}
    spec:
      containers:
        - name: {{ .Chart.Name }}
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          {{- with .Values.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
${more}`

const values = (name: string, more = '') => `# The number of pods
replicaCount: 1
image:
  repository: registry.example.com/${name}
  tag: ""
resources:
  requests:
    cpu: 100m
fullnameOverride: ""
${more}`

const common = (name: string, version: 0 | 1, moreValues = '', moreChart = '') => ({
  'Chart.yaml': chartYaml(name, version, moreChart),
  'values.yaml': values(name, moreValues),
  'templates/_helpers.tpl': helpers(name),
  'templates/NOTES.txt': 'Thank you for installing {{ .Chart.Name }}.\n',
  'templates/deployment.yaml': workload(name),
})

/** The forms of six kinds of public charts: with definitions, hooks, tests, lookups, random values, subcharts. */
export const CHART_FORMS: readonly ChartForm[] = [
  {
    name: 'operator',
    hooks: 0,
    lookups: 0,
    files: (version) => ({
      ...common('operator', version),
      'crds/all.yaml': ['tills', 'shops']
        .map(
          (plural) =>
            `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${plural}.example.com\nspec:\n  group: example.com\n  names: {kind: ${plural}, plural: ${plural}}\n  scope: Namespaced\n  versions:\n    - name: v1\n      served: true\n      storage: true\n${version === 0 ? '' : '    - name: v2\n      served: true\n      storage: false\n'}`,
        )
        .join('---\n'),
      'templates/rbac.yaml':
        '---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: {{ include "operator.fullname" . }}\nrules:\n  - apiGroups: [example.com]\n    resources: ["*"]\n    verbs: [get, list]\n',
    }),
  },
  {
    name: 'ingress',
    hooks: 3,
    lookups: 0,
    files: (version) => ({
      ...common('ingress', version),
      'templates/admission/job-create.yaml': hook(
        'ServiceAccount',
        'ingress-admission',
        'v1',
        'pre-install,pre-upgrade,post-install,post-upgrade',
      ),
      'templates/admission/job-patch.yaml': `${hook('Job', 'ingress-admission-create', 'batch/v1', 'pre-install,pre-upgrade')}---\n${hook('Job', 'ingress-admission-patch', 'batch/v1', 'post-install,post-upgrade')}`,
      'templates/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ include "ingress.fullname" . }}\nspec:\n  type: LoadBalancer\n  ports:\n    - name: http\n      port: 80\n',
    }),
  },
  {
    name: 'webapp',
    hooks: 1,
    lookups: 0,
    files: (version) => ({
      ...common('webapp', version, 'ingress:\n  enabled: false\nautoscaling:\n  enabled: false\n'),
      'templates/ingress.yaml':
        '{{- if .Values.ingress.enabled -}}\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: {{ include "webapp.fullname" . }}\n{{- end }}\n',
      'templates/config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include "webapp.fullname" . }}\ndata:\n  app.conf: |\n    # {{ .Chart.Version }}\n    server {\n      listen 80;\n${version === 0 ? '' : '      gzip on;\n'}    }\n`,
      'templates/tests/test-connection.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "{{ include "webapp.fullname" . }}-test"\n  annotations:\n    "helm.sh/hook": test\nspec:\n  restartPolicy: Never\n  containers:\n    - name: wget\n      image: busybox:1.36\n',
    }),
  },
  {
    name: 'database',
    values: 'auth:\n  password: of-the-team\n',
    silencer: 'auth.password',
    hooks: 0,
    lookups: 1,
    files: (version) => ({
      ...common('database', version, 'auth:\n  password: ""\n  existingSecret: ""\n'),
      'templates/secret.yaml': `{{- if not .Values.auth.existingSecret }}
{{- $known := (lookup "v1" "Secret" .Release.Namespace (include "database.fullname" .)).data }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "database.fullname" . }}
type: Opaque
data:
  {{- if $known }}
  password: {{ index $known "password" }}
  {{- else }}
  password: {{ .Values.auth.password | default (randAlphaNum 16) | b64enc | quote }}
  {{- end }}
{{- end }}
`,
    }),
  },
  {
    name: 'webhook',
    values: 'certificate:\n  existing: of-the-team\n',
    silencer: 'certificate.existing',
    hooks: 0,
    lookups: 0,
    files: (version) => ({
      ...common('webhook', version, 'certificate:\n  existing: ""\n  days: 365\n'),
      'templates/certificate.yaml': `{{- if not .Values.certificate.existing }}
{{- $ca := genCA "webhook-ca" (int .Values.certificate.days) }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "webhook.fullname" . }}-tls
type: kubernetes.io/tls
data:
  tls.crt: {{ $ca.Cert | b64enc }}
  tls.key: {{ $ca.Key | b64enc }}
{{- end }}
`,
    }),
  },
  {
    name: 'stack',
    values: 'cache:\n  seed: of-the-team\n',
    silencer: 'cache.seed',
    hooks: 0,
    lookups: 0,
    files: (version) => ({
      ...common(
        'stack',
        version,
        'cache:\n  enabled: true\n',
        'dependencies:\n  - name: cache\n    version: 0.1.0\n    condition: cache.enabled\n',
      ),
      'charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 0.1.0\n',
      'charts/cache/values.yaml': 'seed: ""\nport: 6379\n',
      'charts/cache/templates/all.yaml': `apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-cache\nspec:\n  ports:\n    - name: cache\n      port: {{ .Values.port }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-cache\ndata:\n  seed: {{ default (randAlphaNum 8) .Values.seed | quote }}\n  size: "${version === 0 ? 64 : 128}"\n`,
    }),
  },
]

function hook(kind: string, name: string, apiVersion: string, events: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations:\n    "helm.sh/hook": ${events}\n    "helm.sh/hook-delete-policy": before-hook-creation\n`
}
