/** The releases of the operator, in order. */
export const RELEASES = ['v1.14.0', 'v1.15.0', 'v1.16.1'] as const

const LICENCE = '# Copyright The Operator Authors.\n#\n# Licensed under the Example License.\n'

/**
 * Returns the manifest of a release of an operator, in the form in which vendors publish theirs: a licence, definitions with long schemas,
 * roles, webhooks and workloads, each with the labels of the release, in an order that differs between releases. The second release adds
 * fields, the last one removes an object and adds another one.
 */
export function operatorRelease(version: (typeof RELEASES)[number]): string {
  const at = RELEASES.indexOf(version)
  const documents = [
    ...['certificates', 'issuers', 'orders', 'challenges', 'requests'].map((plural) => definition(plural, version, at)),
    ...['controller', 'webhook', 'injector'].flatMap((name) => component(name, version, at)),
    webhook(version, at),
    at < 2 ? service('metrics', version) : policy(version),
  ]
  const rotated = [...documents.slice(at * 3), ...documents.slice(0, at * 3)]
  return `${LICENCE}---\n${rotated.map((text) => `# Source: operator/templates/all.yaml\n${text}`).join('---\n')}`
}

function meta(name: string, version: string, namespace = ''): string {
  return `metadata:
  name: ${name}
${namespace === '' ? '' : `  namespace: ${namespace}\n`}  labels:
    app: operator
    app.kubernetes.io/name: operator
    app.kubernetes.io/instance: operator
    # Generated labels
    app.kubernetes.io/version: "${version}"
`
}

function definition(plural: string, version: string, at: number): string {
  const properties = Array.from(
    { length: 40 + at * 5 },
    (_, i) =>
      `                field${i}:\n                  description: |-\n                    What field ${i} of ${plural} does.\n\n                    Since ${version.replace(/\d$/, '0')}.\n                  type: ${i % 3 === 0 ? 'integer' : 'string'}\n`,
  )
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
${meta(`${plural}.operator.example.com`, version)}spec:
  group: operator.example.com
  names:
    kind: ${plural}
    plural: ${plural}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${properties.join('')}`
}

function component(name: string, version: string, at: number): readonly string[] {
  const full = `operator-${name}`
  const rules = Array.from(
    { length: 6 + at },
    (_, i) => `  - apiGroups: ["group${i}.example.com"]\n    resources: ["things", "things/status"]\n    verbs: ["get", "list", "watch"]\n`,
  )
  return [
    `apiVersion: v1\nkind: ServiceAccount\nautomountServiceAccountToken: true\n${meta(full, version, 'operator')}`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n${meta(full, version)}rules:\n${rules.join('')}`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n${meta(full, version)}roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: ${full}\nsubjects:\n  - name: ${full}\n    namespace: operator\n    kind: ServiceAccount\n`,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n${meta(`${full}:leaderelection`, version, 'operator')}rules:\n  - apiGroups: ["coordination.k8s.io"]\n    resources: ["leases"]\n    verbs: ["get", "update"]\n`,
    service(name, version),
    deployment(name, version, at),
  ]
}

function service(name: string, version: string): string {
  return `apiVersion: v1\nkind: Service\n${meta(`operator-${name}`, version, 'operator')}spec:\n  type: ClusterIP\n  ports:\n    - name: https\n      port: 443\n      targetPort: https\n  selector:\n    app.kubernetes.io/component: ${name}\n`
}

function deployment(name: string, version: string, at: number): string {
  return `apiVersion: apps/v1
kind: Deployment
${meta(`operator-${name}`, version, 'operator')}spec:
  replicas: 1
  selector:
    matchLabels:
      app.kubernetes.io/component: ${name}
  template:
    metadata:
      labels:
        app.kubernetes.io/component: ${name}
        app.kubernetes.io/version: "${version}"
    spec:
      serviceAccountName: operator-${name}
      containers:
${at === 0 ? '' : `        - name: reload\n          image: "quay.example.com/operator-reload:${version}"\n`}        - name: operator-${name}
          image: "quay.example.com/operator-${name}:${version}"
          args:
            - --v=2
            - --leader-election-namespace=operator
            - --image=quay.example.com/operator-acme:${version}
          ports:
            - containerPort: 9402
              name: metrics
              protocol: TCP
`
}

function webhook(version: string, at: number): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
${meta('operator-webhook', version)}webhooks:
  - name: webhook.operator.example.com
    rules:
      - apiGroups:
          - "operator.example.com"
        apiVersions:
          - "v1"
        operations:
          - CREATE
${at === 0 ? '' : '          - UPDATE\n'}        resources:
          - "*/*"
    admissionReviewVersions: ["v1"]
    timeoutSeconds: ${at === 2 ? 30 : 10}
    failurePolicy: Fail
    sideEffects: None
    clientConfig:
      service:
        name: operator-webhook
        namespace: operator
        path: /validate
`
}

function policy(version: string): string {
  return `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${meta('operator', version, 'operator')}spec:\n  podSelector: {}\n  policyTypes:\n    - Ingress\n`
}
