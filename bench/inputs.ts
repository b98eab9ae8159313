/** A ResourceList of items given as documents at column 0, and a functionConfig, laid out as kpt emits it. */
export function listOf(documents: readonly string[], functionConfig?: string): string {
  const items = documents.map((document) => `- ${indent(document).slice(2)}`).join('')
  const config = functionConfig === undefined ? '' : `functionConfig:\n${indent(functionConfig)}`
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}${config}`
}

function indent(document: string): string {
  return document.replace(/^(?=.)/gm, '  ')
}

/** The annotations that kpt puts on every item: about 450 bytes. */
function wire(path: string, id: number): string {
  return `    config.kubernetes.io/index: '0'
    config.kubernetes.io/path: '${path}'
    internal.config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/package-path: '/home/user/fleet/network'
    internal.config.kubernetes.io/path: '${path}'
    internal.config.kubernetes.io/seqindent: 'compact'
    internal.config.kubernetes.io/annotations-migration-resource-id: '${id}'
    internal.config.kubernetes.io/id: '${id}'
    config.k8s.io/id: '${id}'
`
}

/** The root Kptfile of the package that all items belong to. */
function kptfile(): string {
  return `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: network
  annotations:
${wire('Kptfile', 0)}pipeline:
  mutators:
  # runs last
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
    configMap:
      namespace: network
`
}

/** The package context with some pairs in it. */
function packageContext(pairs: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
${wire('package-context.yaml', 1)}data:
  name: network
${pairs}`
}

/** An ordinary resource; with the wire's annotations an item of about 1,060 bytes. */
function deployment(number: number): string {
  const name = `web-${String(number).padStart(6, '0')}`
  return `apiVersion: apps/v1
kind: Deployment
metadata: # kpt-merge: default/${name}
  name: ${name}
  namespace: default
  labels:
    app: web
  annotations:
    team: "7"
${wire(`apps/${name}.yaml`, number)}spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.14.2 # kpt-set: \${image}
        args: ["--port", "8080"]
        ports:
        - containerPort: 8080
          protocol: TCP
      restartPolicy: Always
`
}

/** A package of so many resources: its Kptfile, its context, Deployments. The context has what `contextOnly` asks for. */
export function packageOf(count: number): readonly string[] {
  return [kptfile(), packageContext('  region: eu-1\n  tier: prod\n'), ...Array.from({ length: count - 2 }, (_, i) => deployment(i + 2))]
}

/** A PackageVariant that asks for the context of the package alone. */
export function contextOnly(): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: nationwide-edge-network
  namespace: default
spec:
  upstream:
    repo: catalog
    package: network
    revision: 1
  downstream:
    repo: edge
    package: network
  packageContext:
    data:
      region: eu-1
      tier: prod
`
}

/** An object that a target selects, and that its expressions read. */
function cluster(number: number): string {
  const name = `site-${String(number).padStart(6, '0')}`
  return `apiVersion: infra.example.com/v1
kind: Cluster
metadata:
  name: ${name}
  namespace: default
  labels:
    region: eu-${number % 7}
    tier: prod
  annotations:
    serial: "${number}"
${wire(`clusters/${name}.yaml`, number)}spec:
  nodes: 5
`
}

export function repository(name: string, number: number): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: ${name}
  namespace: default
  labels:
    region: eu-${number % 7}
    env: prod
  annotations:
${wire(`repositories/${name}.yaml`, number)}spec:
  type: git
  deployment: true
  git:
    repo: https://git.example.com/${name}.git
    branch: main
`
}

/** The package revision that the sets of the benchmark name as upstream. */
export function upstream(): string {
  return `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata:
  name: catalog.network.v1
  namespace: default
  annotations:
${wire('catalog.yaml', 0)}spec:
  repository: catalog
  packageName: network
  revision: 1
  workspaceName: v1
  lifecycle: Published
`
}

/** A PackageVariantSet with one target. */
export function variantSet(target: string): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: nationwide
  namespace: default
  annotations:
${wire('set.yaml', 0)}spec:
  upstream:
    repo: catalog
    package: network
    revision: 1
  targets:
${target}`
}

/** Five expressions: the downstream package, two labels, the context, an injector. */
const FIVE_EXPRESSIONS = `      labelExprs:
      - key: tier
        valueExpr: target.labels.tier
      - key: zone
        valueExpr: "has(target.labels.zone) ? target.labels.zone : 'none'"
      packageContext:
        dataExprs:
        - key: region
          valueExpr: repository.labels['region']
      injectors:
      - kind: Endpoints
        nameExpr: target.labels['region'] + '-endpoints'
`

/** A fleet with one set that makes a variant for each of so many objects, with five expressions each. */
export function fleetOf(variants: number): string {
  const target = `  - objectSelector:
      apiVersion: infra.example.com/v1
      kind: Cluster
      matchLabels:
        tier: prod
    template:
      downstream:
        repo: edge
        packageExpr: target.name
${FIVE_EXPRESSIONS}`
  const clusters = Array.from({ length: variants }, (_, i) => cluster(i))
  return listOf([variantSet(target), upstream(), repository('edge', 0), ...clusters])
}

const VERSIONS = 20

/** So many packages as Packages of kapp-controller, in 20 versions each, half of them installed. Each requires three others. */
export function carvelList(count: number): string {
  const requiredBy = (number: number) => [...new Set([number * 31 + 1, number * 17 + 2, number * 13 + 3].map((other) => other % count))]
  const numbers = Array.from({ length: count }, (_, number) => number)
  const packages = numbers.flatMap((number) =>
    Array.from({ length: VERSIONS }, (_, version) => {
      const dependencies = requiredBy(number).map(
        (other) => `  - package:\n      refName: ${refName(other)}\n      version: '>=1.${Math.max(0, version - 5)}.0 <2.0.0'\n`,
      )
      const name = `${refName(number)}.1.${version}.0`
      const spec = `spec:\n  refName: ${refName(number)}\n  version: 1.${version}.0\n  dependencies:\n${dependencies.join('')}`
      return `apiVersion: data.packaging.carvel.dev/v1alpha1\nkind: Package\nmetadata:\n  name: ${name}\n  namespace: default\n${pathAnnotations(`packages/${number}.yaml`)}${spec}`
    }),
  )
  const installed = numbers.filter((number) => number % 2 === 0)
  const installs = installed.map((number) => {
    const selection = `spec:\n  packageRef:\n    refName: ${refName(number)}\n    versionSelection:\n      constraints: 1.10.0\n`
    return `apiVersion: packaging.carvel.dev/v1alpha1\nkind: PackageInstall\nmetadata:\n  name: package-${number}\n  namespace: default\n${pathAnnotations(`installs/${number}.yaml`)}${selection}`
  })
  return listOf([...packages, ...installs], CHECK)
}

/** The options of check-dependencies. The function reports missing packages as warnings, so that the run succeeds. */
export const CHECK = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: CheckDependencies
metadata:
  name: check
spec:
  universe: closed
  rules:
    dependency-cycle: warning
    dependency-missing: warning
    dependency-conflict: warning
`

function refName(number: number): string {
  return `package-${number}.example.carvel.dev`
}

function pathAnnotations(path: string): string {
  return `  annotations:\n    config.kubernetes.io/path: '${path}'\n    internal.config.kubernetes.io/path: '${path}'\n`
}
