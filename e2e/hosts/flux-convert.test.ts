import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, runProgram } from '../run-program.ts'
import { buildAsFlux, buildFluxProgram, removeFluxProgram } from './flux-build.ts'
import { GO, KUSTOMIZE } from './present-hosts.ts'

// The clusters that `convert kustomize` makes of Kustomizations, beside what the packages of kustomize-controller build of these.

const CLUSTERS = ['prod', 'test'] as const

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {host: "\${cluster}.\${domain:=example.com}"}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: nginx:1.29
          args: ["--level=\${level:-info}", "--zone=\${missing}", "$\${HOME}", $PATH]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: web}
subjects: [{kind: ServiceAccount, name: web, namespace: default}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: raw, labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}}
data: {a: "\${cluster}"}
`

const kustomization = (name: string, fields: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  sourceRef: {kind: GitRepository, name: flux-system}\n${fields}`

function webOf(cluster: string, replicas: number): string {
  return kustomization(
    'web',
    `  path: ./apps/web
  targetNamespace: web-${cluster}
  patches:
    - target: {kind: Deployment}
      patch: |
        - {op: replace, path: /spec/replicas, value: ${replicas}}
    - patch: |
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: web}
        automountServiceAccountToken: ${replicas > 1}
  postBuild:
    substitute:
      cluster: ${cluster}
      ${cluster === 'prod' ? 'domain: shop.example.com' : 'level: debug'}
`,
  )
}

function writeRepository(root: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('apps/web/kustomization.yaml', 'resources: [web.yaml]\n')
  write('apps/web/web.yaml', WEB)
  write('apps/dns/base/kustomization.yaml', 'resources: [map.yaml]\n')
  write('apps/dns/base/map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\ndata:\n  zone: ${cluster}\n  size: s${size}\n')
  for (const [index, cluster] of CLUSTERS.entries()) {
    write(`apps/dns/${cluster}/kustomization.yaml`, `namespace: dns\nnamePrefix: ${cluster}-\nresources: [../base]\n`)
    const dns = kustomization(
      'dns',
      `  path: ./apps/dns/${cluster}\n  postBuild:\n    substitute: {cluster: ${cluster}, size: "${index}"}\n`,
    )
    write(`clusters/${cluster}/apps.yaml`, `${webOf(cluster, 3 - index)}---\n${dns}`)
  }
}

/** Returns the objects of files that a cluster gets, by kind and name. */
function objectsOf(folder: string): Readonly<Record<string, unknown>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.yaml$/.test(entry.name),
  )
  const documents = files.flatMap(({ parentPath, name }) => parseAllDocuments(readFileSync(join(parentPath, name), 'utf8')))
  const applied = documents.filter((each) => each.getIn(['metadata', 'annotations', 'config.kubernetes.io/local-config']) !== 'true')
  for (const each of applied) {
    each.deleteIn(['metadata', 'annotations', 'internal.kpt.dev/upstream-identifier'])
    if (each.toJS().metadata.annotations?.host === undefined) each.deleteIn(['metadata', 'annotations'])
  }
  return Object.fromEntries(applied.map((each) => [`${each.get('kind')} ${each.getIn(['metadata', 'name'])}`, each.toJS()]))
}

describe.skipIf(!KUSTOMIZE.present || !GO.present)('with kustomize and the packages of kustomize-controller', () => {
  beforeAll(buildFluxProgram, 900_000)
  afterAll(removeFluxProgram)

  test('each cluster of a converted repository gets exactly what Flux applies there', async () => {
    const folder = testFolder()
    const root = join(folder, 'repo')
    writeRepository(root)
    const words = ['convert', 'kustomize', 'repo', '--out', 'fleet', '--allow-exec']
    const { stderr, exitCode } = await runProgram('env', ['--chdir', folder, bundlePath('krm-variants'), ...words])
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/^\d+ files written to fleet\n$/), exitCode: 0 })
    for (const cluster of CLUSTERS) {
      const asked = parseAllDocuments(readFileSync(join(root, `clusters/${cluster}/apps.yaml`), 'utf8')).map((each) => each.toJS())
      const answers = buildAsFlux(asked.map((each) => ({ root, kustomization: each })))
      expect(answers.map(({ error }) => error)).toEqual(['', ''])
      const applied = Object.fromEntries(
        answers.flatMap(({ objects }) => objects.map((each) => [`${each.kind} ${each.metadata.name}`, each])),
      )
      expect(Object.keys(applied)).toHaveLength(5)
      expect(objectsOf(join(folder, 'fleet/clusters', cluster))).toEqual(applied)
    }
  })
})
