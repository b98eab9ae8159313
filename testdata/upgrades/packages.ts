import type { Texts } from '../package-of-texts.ts'

/** An upstream package at two revisions. */
export interface UpgradedPackage {
  readonly name: string
  readonly v1: Texts
  readonly v2: Texts
}

const LICENCE = '# Copyright of nobody\n# Licensed to everybody\n'

/**
 * A function whose image has no comment or function right beside it: a textual merge takes changes of two lines that touch for a conflict.
 */
const fn = (image: string, setting: string) =>
  `  - selectors:\n    - kind: ConfigMap\n    image: ${image}\n    configMap:\n      setting: ${setting}\n`

const kptfile = (name: string, pipeline = '') => `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: ${name}
  annotations:
    config.kubernetes.io/local-config: "true"
info:
  description: the package ${name}
${pipeline === '' ? '' : `pipeline:\n${pipeline}`}`

/** The settings of every package: those that people tune, and one that upstream tunes. */
const settings = (release: string, header: string) => `${header}apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  # how many
  workers: "2"
  queue: small
  mode: fast
  cache: 'on'
  # set by every release
  release: "${release}"
  zone: a
`

const deployment = (image: string, { args, probe = '' }: { readonly args: string; readonly probe?: string }) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      serviceAccountName: web
      containers:
      - name: web
        image: ${image}
        args: ${args}
${probe}        env:
        - name: LEVEL
          value: info
        - name: REGION
          value: none
        resources:
          limits:
            memory: 1Gi
      - name: proxy
        image: proxy:1
        ports:
        - containerPort: 8080
`

const portNamed = (name: string) => `  - name: ${name}\n    port: ${8000 + name.length}\n    targetPort: ${name}\n`

const service = (ports: readonly string[]) => `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: ClusterIP
  selector:
    app: web
  ports:
${ports.map(portNamed).join('')}`

const aliased = (colour: string, size: string) => `apiVersion: example.com/v1
kind: Palette
metadata:
  name: palette
  labels: &common
    team: shop
    colour: ${colour}
spec:
  template:
    labels: *common
  size: ${size}
  shape: round
  depth: 3
`

const member = (name: string, role: string) => `apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMPolicyMember
metadata:
  name: ${name}
spec:
  resourceRef:
    external: shop
    kind: Project
  member: serviceAccount:${name}
  role: ${role}
`

const definition = (created: string, description: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
${created}  name: tills.shop.example.com
spec:
  group: shop.example.com
  scope: Namespaced
  names:
    kind: Till
    plural: tills
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: ${description}
`

const [OLD, NEW] = ['gcr.io/kpt-fn', 'ghcr.io/kptdev/krm-functions-catalog']

/** Packages with what made real upgrades go wrong. */
export const PACKAGES: readonly UpgradedPackage[] = [
  {
    name: 'functions-without-names',
    v1: {
      Kptfile: kptfile('a', `  mutators:\n${fn(`${OLD}/set-annotations:v0.1`, 'one')}${fn(`${OLD}/set-namespace:v0.1`, 'two')}`),
      'settings.yaml': settings('1', `${LICENCE}\n`),
    },
    v2: {
      Kptfile: kptfile('a', `  mutators:\n${fn(`${OLD}/set-annotations:v0.2`, 'one')}${fn(`${OLD}/set-namespace:v0.1`, 'two')}`),
      'settings.yaml': settings('2', `${LICENCE}\n`),
    },
  },
  {
    name: 'functions-of-another-registry',
    v1: {
      Kptfile: kptfile('b', `  mutators:\n${fn(`${OLD}/set-labels:v0.1`, 'one')}  validators:\n${fn(`${OLD}/kubeval:v0.1`, 'two')}`),
      'settings.yaml': settings('1', ''),
    },
    v2: {
      Kptfile: kptfile('b', `  mutators:\n${fn(`${NEW}/set-labels:v0.2`, 'one')}  validators:\n${fn(`${NEW}/kubeval:v0.2`, 'two')}`),
      'settings.yaml': settings('2', ''),
    },
  },
  {
    name: 'one-image-twice',
    v1: {
      Kptfile: kptfile('c', `  mutators:\n${fn(`${OLD}/starlark:v0.4`, 'one')}${fn(`${OLD}/starlark:v0.4`, 'two')}`),
      'settings.yaml': settings('1', LICENCE),
      'web.yaml': deployment('web:1', { args: '[--fast]' }),
    },
    v2: {
      Kptfile: kptfile('c', `  mutators:\n${fn(`${OLD}/starlark:v0.5`, 'one')}${fn(`${OLD}/starlark:v0.5`, 'two')}`),
      'settings.yaml': settings('2', LICENCE),
      'web.yaml': deployment('web:2', { args: '[--fast]', probe: '        livenessProbe:\n          periodSeconds: 5\n' }),
    },
  },
  {
    name: 'header-without-blank-line',
    v1: { Kptfile: kptfile('d'), 'settings.yaml': settings('1', `${LICENCE}\n`), 'service.yaml': service(['http', 'metrics', 'admin']) },
    v2: { Kptfile: kptfile('d'), 'settings.yaml': settings('2', LICENCE), 'service.yaml': service(['metrics', 'admin', 'http']) },
  },
  {
    name: 'aliases',
    v1: { Kptfile: kptfile('e'), 'palette.yaml': aliased('red', 'small'), 'settings.yaml': settings('1', '') },
    v2: { Kptfile: kptfile('e'), 'palette.yaml': aliased('blue', 'small'), 'settings.yaml': settings('2', '') },
  },
  {
    name: 'config-connector',
    v1: {
      Kptfile: kptfile('f'),
      'members.yaml': [member('reader', 'viewer'), member('writer', 'editor')].join('---\n'),
      'admin.yaml': member('admin', 'owner'),
      'settings.yaml': settings('1', ''),
    },
    v2: { Kptfile: kptfile('f'), 'members.yaml': member('reader', 'browser'), 'settings.yaml': settings('2', '') },
  },
  {
    name: 'creation-timestamp',
    v1: {
      Kptfile: kptfile('g'),
      'till.yaml': definition('  creationTimestamp: null\n', 'a till'),
      'web.yaml': deployment('web:1', { args: '[--fast]' }),
      'settings.yaml': settings('1', LICENCE),
    },
    v2: {
      Kptfile: kptfile('g'),
      'till.yaml': definition('', 'a till of a store'),
      'web.yaml': deployment('web:1', { args: '[--fast, --safe]' }),
      'settings.yaml': settings('2', LICENCE),
    },
  },
  {
    name: 'moved-files-and-subpackages',
    v1: {
      Kptfile: kptfile('h'),
      'README.md': '# h\n\nOne.\n',
      'service.yaml': service(['http', 'admin']),
      'settings.yaml': settings('1', ''),
      'stays/Kptfile': kptfile('stays'),
      'stays/members.yaml': member('stays', 'viewer'),
    },
    v2: {
      Kptfile: kptfile('h'),
      'README.md': '# h\n\nTwo.\n',
      'network/service.yaml': service(['http', 'admin']),
      'settings.yaml': settings('2', ''),
      'stays/Kptfile': kptfile('stays'),
      'stays/members.yaml': member('stays', 'browser'),
      'added/Kptfile': kptfile('added'),
      'added/members.yaml': member('added', 'viewer'),
    },
  },
]
