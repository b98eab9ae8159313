import { posix } from 'node:path'
import { shellPath } from '../../src/shell-word.ts'
import type { SyncSystem } from '../../src/sync/options.ts'
import { WORKFLOWS } from '../generated/workflows.ts'

/** The systems whose workflow for pull requests `init` can write. */
export const CI_SYSTEMS = ['github', 'gitlab'] as const

export interface NewFleetOptions {
  readonly ci?: (typeof CI_SYSTEMS)[number]
  /** The system for which `sync` shall write what deploys the packages. */
  readonly sync?: SyncSystem
  /** The folder of the fleet in its git repository, '' or nothing for the top: `apps/shops`. */
  readonly inside?: string
}

/** A file of a new fleet. */
export interface NewFile {
  readonly path: string
  readonly text: string
  /** `always` for a file that people often have already: then theirs stays. `to a fleet`: theirs stays if it is that of a fleet. */
  readonly yields: 'always' | 'to a fleet' | 'never'
}

/**
 * Returns the files of the smallest fleet that works: two clusters, one package, one set. A workflow is that of
 * docs/recipes/pull-requests.md.
 */
export function newFleet({ ci, sync, inside = '' }: NewFleetOptions): readonly NewFile[] {
  const asked = {
    ...(sync !== undefined && { 'fleet/sync.yaml': syncOptions(sync) }),
    ...(ci !== undefined && { [WORKFLOWS[ci].path]: workflowOf(WORKFLOWS[ci].text, inside) }),
  }
  const files = {
    'fleet/clusters.yaml': CLUSTERS.map((name) => repository(name, sync === undefined ? undefined : inside)).join('---\n'),
    'fleet/hello.yaml': SET,
    'fleet/render.yaml': RENDER,
    'catalog/hello@v1/Kptfile': KPTFILE,
    'catalog/hello@v1/deployment.yaml': DEPLOYMENT,
    'catalog/hello@v1/service.yaml': SERVICE,
    ...asked,
    '.krmignore': IGNORED,
    'README.md': readme(sync !== undefined),
  }
  const yields = (path: string) => (path in asked ? 'never' : path === '.krmignore' || path === 'README.md' ? 'always' : 'to a fleet')
  return Object.entries(files).map(([path, text]) => ({ path, text, yields: yields(path) }))
}

/** Returns a workflow, which names the folder of the fleet as `.`, for a fleet in another folder of the repository. */
function workflowOf(text: string, inside: string): string {
  if (inside === '') return text
  return text
    .replace(/(?<=^ +folder: )\.$/m, () => JSON.stringify(inside))
    .replace(/ \. (?=> "\$TOOL)/g, () => ` ${shellPath(inside).replaceAll("'", "''")} `)
}

const CLUSTERS = ['staging', 'prod']

/** @param inside  the folder of the fleet in the repository that clusters are deployed from; undefined without one */
function repository(name: string, inside: string | undefined): string {
  return `# ${name === CLUSTERS[0] ? 'Each Repository is a cluster: render writes its packages into clusters/NAME.' : 'Another cluster. Its label makes the difference in hello.yaml.'}
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: ${name}
  labels:
    env: ${name}
${inside === undefined ? '' : placeOf(name, inside)}`
}

function placeOf(name: string, inside: string): string {
  return `spec:
  type: git
  deployment: true
  git:
    repo: https://git.example.com/fleet.git # the address of this repository
    branch: main
    directory: ${JSON.stringify(posix.join(inside, 'clusters', name)).replace(/^"([\w./-]+)"$/, '$1')}
`
}

const SET = `# Which package is on which clusters, and how it differs there.
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: hello
spec:
  upstream:
    repo: catalog
    package: hello
    revision: 1
  targets:
    - repositorySelector:
        matchExpressions:
          - key: env
            operator: Exists
      template:
        downstream:
          package: hello
        pipeline:
          mutators:
            - name: replicas
              image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
              configMapExprs:
                - key: replicas
                  valueExpr: "repository.labels.env == 'prod' ? '3' : '1'"
`

const RENDER = `# The options of krm-variants render: the packages of the clusters are in this folder.
apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: render
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  out: clusters
`

/** Returns the options of `sync`: the name by which the system knows a cluster, where it needs one. */
function syncOptions(system: NonNullable<NewFleetOptions['sync']>): string {
  const destination = { flux: "repository.name + '-kubeconfig'", argocd: 'repository.name', 'config-sync': undefined }[system]
  return `# The options of krm-variants sync, which writes the objects that deploy the packages.
apiVersion: fn.krm-variants.dev/v1alpha1
kind: GenerateSync
metadata:
  name: sync
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  for: ${system}
${destination === undefined ? '' : `  destinationExpr: ${destination}\n`}`
}

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: hello
info:
  description: A web server
pipeline:
  mutators:
    - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
      configMap:
        namespace: hello
    - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
      configMap:
        tag: "1.29"
`

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: hello
spec:
  replicas: 1 # kpt-set: \${replicas}
  selector:
    matchLabels:
      app: hello
  template:
    metadata:
      labels:
        app: hello
    spec:
      containers:
        - name: web
          image: nginx:1.29 # kpt-set: nginx:\${tag}
          ports:
            - name: http
              containerPort: 80
`

const SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: hello
spec:
  selector:
    app: hello
  ports:
    - name: http
      port: 80
      targetPort: http
`

const IGNORED = `# What krm-variants and kpt do not read as resources.
.github/
.gitlab-ci.yml
`

function readme(isDeployed: boolean): string {
  return `# A fleet

| folder | holds |
|---|---|
| \`fleet/\` | the clusters, and the sets: which package is on which clusters |
| \`catalog/\` | the packages, a folder for each revision: \`hello@v1\` |
| \`clusters/\` | the packages of each cluster, written by \`krm-variants render\` |

Change a line, then: \`krm-variants check .\`, \`krm-variants diff .\` shows what changes where, \`krm-variants render .\` writes it.${
    isDeployed ? ' `krm-variants sync .` writes what deploys it.' : ''
  }
`
}
