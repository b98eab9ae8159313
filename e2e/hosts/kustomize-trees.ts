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

/** The changes of a base that each tree must bring to its clusters, one after the other. */
export const CHANGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a new image': { 'base/deployment.yaml': DEPLOYMENT.replace('1.4.0', '1.5.0') },
  'a new container port': {
    'base/deployment.yaml': `${DEPLOYMENT.replace('1.4.0', '1.5.0')}            - containerPort: 9090\n              name: metrics\n`,
  },
  'a removed field': { 'base/deployment.yaml': DEPLOYMENT.replace('1.4.0', '1.5.0').replace('  minReadySeconds: 10\n', '') },
  'a new object': {
    'base/kustomization.yaml': 'resources:\n  - deployment.yaml\n  - service.yaml\n  - account.yaml\n',
    'base/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: shop\n',
  },
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
]
