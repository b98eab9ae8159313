/** A kustomize tree as people have it, by the paths of its files. */
export interface TreeForm {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 1
  minReadySeconds: 10
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: shop
          image: registry.example.com/shop:1.4.0
          ports:
            - containerPort: 8080
`

const SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  selector:
    app: shop
  ports:
    - port: 80
      targetPort: 8080
`

const BASE = {
  'base/kustomization.yaml': 'resources:\n  - deployment.yaml\n  - service.yaml\n',
  'base/deployment.yaml': DEPLOYMENT,
  'base/service.yaml': SERVICE,
}

/** Returns the changes of its base that a tree must bring to its clusters, one after the other. */
export function changesOf({ files }: TreeForm): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const next = DEPLOYMENT.replace('1.4.0', '1.5.0')
  const kustomization = files['base/kustomization.yaml'] ?? ''
  return {
    'a new image': { 'base/deployment.yaml': next },
    'a new container port': { 'base/deployment.yaml': `${next}            - containerPort: 9090\n              name: metrics\n` },
    'a removed field': { 'base/deployment.yaml': next.replace('  minReadySeconds: 10\n', '') },
    'a new object': {
      'base/kustomization.yaml': kustomization.replace('resources:\n', 'resources:\n  - account.yaml\n'),
      'base/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: shop\n',
    },
    'another value': { 'base/deployment.yaml': next.replace('replicas: 1', 'replicas: 2') },
  }
}

/** Returns a tree of one base with the overlays `staging` and `prod`. */
function treeOf(name: string, staging: string, prod: string, more: Readonly<Record<string, string>> = {}): TreeForm {
  const overlay = (text: string) => `resources:\n  - ../../base\n${text}`
  const overlays = { 'overlays/staging/kustomization.yaml': overlay(staging), 'overlays/prod/kustomization.yaml': overlay(prod) }
  return { name, files: { ...BASE, ...overlays, ...more } }
}

const SIDECAR = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  template:
    spec:
      containers:
        - name: proxy
          image: registry.example.com/proxy:2.1.0
          args: [--listen=:8443]
`

const DEFAULTS = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n'

/** One tree for each thing that overlays do. */
export const TREE_FORMS: readonly TreeForm[] = [
  treeOf(
    'namespace, labels, images and replicas',
    'namespace: shop-staging\nlabels:\n  - pairs:\n      env: staging\nimages:\n  - name: registry.example.com/shop\n    newName: registry.example.com/next/shop\n',
    'namespace: shop-prod\nlabels:\n  - pairs:\n      env: prod\n    includeTemplates: true\nreplicas:\n  - name: shop\n    count: 4\n',
  ),
  treeOf('a prefix and a suffix of names', 'namePrefix: staging-\n', 'namePrefix: prod-\nnameSuffix: -blue\n'),
  treeOf(
    'a patch that adds a container',
    'patches:\n  - path: sidecar.yaml\n',
    'patches:\n  - path: sidecar.yaml\n  - target:\n      kind: Service\n    patch: |-\n      - op: replace\n        path: /spec/ports/0/port\n        value: 8443\n',
    { 'overlays/staging/sidecar.yaml': SIDECAR, 'overlays/prod/sidecar.yaml': SIDECAR },
  ),
  treeOf(
    'generated ConfigMaps and Secrets with hashes',
    'configMapGenerator:\n  - name: settings\n    literals: [level=debug, greeting=hello]\n',
    'configMapGenerator:\n  - name: settings\n    literals: [level=info]\nsecretGenerator:\n  - name: login\n    literals: [user=shop]\n',
  ),
  treeOf('a component', 'components:\n  - ../../components/meshed\n', 'namespace: prod\ncomponents:\n  - ../../components/meshed\n', {
    'components/meshed/kustomization.yaml': `${DEFAULTS}resources:\n  - policy.yaml\npatches:\n  - path: sidecar.yaml\n`,
    'components/meshed/sidecar.yaml': SIDECAR,
    'components/meshed/policy.yaml':
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: shop\nspec:\n  podSelector: {}\n',
  }),
  treeOf('an object that only one overlay has', 'commonAnnotations:\n  team: shops\n', 'namespace: prod\n', {
    'overlays/prod/kustomization.yaml': 'namespace: prod\nresources:\n  - ../../base\n  - budget.yaml\n',
    'overlays/prod/budget.yaml':
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: shop\nspec:\n  minAvailable: 1\n  selector:\n    matchLabels:\n      app: shop\n',
  }),
  treeOf(
    'replacements from a ConfigMap and a Service',
    'configMapGenerator:\n  - name: env\n    literals: [PORT=http]\nreplacements:\n  - source: {kind: ConfigMap, name: env, fieldPath: data.PORT}\n    targets:\n      - select: {kind: Service, name: shop}\n        fieldPaths: [spec.ports.0.name]\n        options: {create: true}\n',
    'namespace: prod\nreplacements:\n  - source: {kind: Service, name: shop, fieldPath: spec.ports.0.port}\n    targets:\n      - select: {kind: Deployment, name: shop}\n        fieldPaths: [spec.minReadySeconds]\n        options: {create: true}\n',
  ),
  treeOf(
    'generators that merge and replace those of the base',
    'namePrefix: staging-\nconfigMapGenerator:\n  - name: settings\n    behavior: merge\n    literals: [level=debug]\n',
    'configMapGenerator:\n  - name: settings\n    behavior: replace\n    literals: [level=warn]\nsecretGenerator:\n  - name: login\n    behavior: merge\n    literals: [token=0123456789abcdef]\ngeneratorOptions:\n  labels: {generated: "yes"}\n',
    {
      'base/kustomization.yaml':
        'resources:\n  - deployment.yaml\n  - service.yaml\nconfigMapGenerator:\n  - name: settings\n    literals: [level=info, color=blue]\nsecretGenerator:\n  - name: login\n    literals: [user=shop]\n',
    },
  ),
  treeOf(
    'JSON patches that test, copy, move and remove, by names and by labels',
    'patches:\n  - target: {kind: Service, name: shop}\n    patch: |-\n      - {op: test, path: /spec/ports/0/port, value: 80}\n      - {op: copy, from: /metadata/name, path: /spec/externalName}\n      - {op: move, from: /spec/ports/0/targetPort, path: /spec/ports/0/nodePort}\n      - {op: add, path: /spec/ports/-, value: {name: https, port: 443}}\n',
    'patches:\n  - target: {labelSelector: tier=web}\n    patch: |-\n      - {op: add, path: /metadata/annotations, value: {web: "yes"}}\n      - {op: remove, path: /spec/ports/0/targetPort}\n',
    { 'base/service.yaml': SERVICE.replace('name: shop\n', 'name: shop\n  labels:\n    tier: web\n') },
  ),
  treeOf(
    'images with digests and labels in selectors',
    `images:\n  - name: registry.example.com/shop\n    digest: sha256:${'a'.repeat(64)}\nlabels:\n  - pairs: {track: canary}\n    includeSelectors: true\n`,
    'images:\n  - name: registry.example.com/shop\n    newName: mirror.example.com/team/shop\n    newTag: 1.4.0\ncommonLabels:\n  env: prod\n',
  ),
  treeOf('transformers, generators and configurations of its own', 'transformers:\n  - labels.yaml\n', '', {
    'overlays/prod/kustomization.yaml':
      'namePrefix: prod-\nconfigurations: [references.yaml]\nresources:\n  - ../../base\n  - route.yaml\ngenerators:\n  - |-\n    apiVersion: builtin\n    kind: ConfigMapGenerator\n    metadata: {name: made}\n    literals: [a=b]\n',
    'overlays/prod/references.yaml':
      'nameReference:\n  - kind: Service\n    version: v1\n    fieldSpecs:\n      - kind: Route\n        path: spec/to/name\n',
    'overlays/prod/route.yaml': 'apiVersion: example.com/v1\nkind: Route\nmetadata:\n  name: shop\nspec:\n  to:\n    name: shop\n',
    'overlays/staging/labels.yaml':
      'apiVersion: builtin\nkind: LabelTransformer\nmetadata:\n  name: team\nlabels:\n  team: shops\nfieldSpecs:\n  - path: metadata/labels\n    create: true\n',
  }),
  treeOf(
    'patches that delete and replace parts of lists',
    'patches:\n  - patch: |-\n      apiVersion: v1\n      kind: Service\n      metadata: {name: shop}\n      $patch: delete\n',
    'patches:\n  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: shop}\n      spec:\n        replicas: null\n        template:\n          spec:\n            containers:\n              - name: shop\n                args: [--serve]\n                ports:\n                  - {containerPort: 8080, $patch: delete}\n                  - {containerPort: 7070, name: web}\n',
  ),
  treeOf(
    'values that repeat those of the base',
    'replicas:\n  - name: shop\n    count: 1\nimages:\n  - name: registry.example.com/shop\n    newTag: 1.4.0\nsortOptions:\n  order: legacy\n',
    'patches:\n  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: shop}\n      spec:\n        minReadySeconds: 10\n        template:\n          spec:\n            containers:\n              - name: shop\n                image: registry.example.com/shop:1.4.0\n',
  ),
  treeOf('overlays of overlays, with prefixes and suffixes of each', 'nameSuffix: -a\n', '', {
    'regions/eu/kustomization.yaml':
      'resources:\n  - ../../base\nnamePrefix: eu-\nlabels:\n  - pairs: {region: eu}\n    includeSelectors: true\n',
    'envs/eu-prod/kustomization.yaml':
      'resources:\n  - ../../regions/eu\nnamePrefix: prod-\nnameSuffix: -b\nnamespace: prod\nreplicas:\n  - name: shop\n    count: 5\n',
    'overlays/prod/kustomization.yaml':
      'resources:\n  - ../../envs/eu-prod\npatches:\n  - target: {kind: Deployment}\n    patch: |-\n      - {op: add, path: /spec/template/spec/nodeSelector, value: {disk: ssd}}\n',
  }),
  treeOf('two bases with the same names in different namespaces', '', '', {
    'named/a/kustomization.yaml': 'namespace: a\nresources:\n  - ../../base\n',
    'named/b/kustomization.yaml': 'namespace: b\nresources:\n  - ../../other\n',
    'other/kustomization.yaml': 'resources:\n  - deployment.yaml\n',
    'other/deployment.yaml': DEPLOYMENT.replace('1.4.0', '3.0.0'),
    'overlays/staging/kustomization.yaml': 'resources:\n  - ../../named/a\n  - ../../named/b\n',
    'overlays/prod/kustomization.yaml':
      'resources:\n  - ../../named/a\n  - ../../named/b\npatches:\n  - target: {kind: Deployment, name: shop, namespace: b}\n    patch: |-\n      - {op: replace, path: /spec/replicas, value: 4}\n',
  }),
  treeOf(
    'labels and annotations of which overlays share some',
    'labels:\n  - pairs: {env: staging, team: shops}\n    includeSelectors: true\ncommonAnnotations: {note: a, owner: b}\n',
    'labels:\n  - pairs: {env: prod}\n    includeSelectors: true\ncommonAnnotations: {note: c}\n',
  ),
  treeOf('vars', 'namePrefix: staging-\n', 'namePrefix: prod-\nnamespace: prod\n', {
    'base/kustomization.yaml':
      'resources:\n  - deployment.yaml\n  - service.yaml\nvars:\n  - name: SHOP\n    objref: {kind: Service, name: shop, apiVersion: v1}\n    fieldref: {fieldpath: metadata.name}\n',
    'base/service.yaml': SERVICE.replace('name: shop\n', 'name: shop\n  annotations:\n    host: $(SHOP).example.com\n'),
  }),
]
