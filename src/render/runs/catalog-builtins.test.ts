import { expect, test } from 'vitest'
import { folderTree } from '../../folder/file-tree.ts'
import type { BuiltinFunction, Runner } from '../../pipeline/match.ts'
import { readPackages, runPackages } from '../../pipeline/run-packages.ts'
import { finish } from '../../progress.ts'
import { CATALOG_BUILTINS } from './catalog-builtins.ts'

/** A functionConfig for each function that needs one. */
const CONFIGS: Readonly<Record<string, string>> = {
  'apply-replacements': 'configPath: replacements.yaml',
  'apply-setters': 'configMap: {ns: prod, name: web}',
  'create-setters': 'configMap: {ns: dev, name: old}',
  'ensure-name-substring': 'configMap: {prepend: a-}',
  'search-replace': 'configMap: {by-value: dev, put-value: prod}',
  'set-annotations': 'configMap: {team: x}',
  'set-image': 'configMap: {name: web, newTag: v2}',
  'set-labels': 'configMap: {team: x}',
  'set-namespace': 'configMap: {namespace: prod}',
}

const REPLACEMENTS = `apiVersion: fn.kpt.dev/v1alpha1
kind: ApplyReplacements
metadata: {name: replacements, annotations: {config.kubernetes.io/local-config: "true"}}
replacements:
- source: {kind: ConfigMap, name: old, fieldPath: data.ns}
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: [data.copy]
    options: {create: true}
`

const KUSTOMIZATIONS = {
  typed: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: dev # kpt-set: ${ns}\nresources: [cm.yaml]\n',
  'without a kind': 'namespace: dev # kpt-set: ${ns}\nresources: [cm.yaml]\n',
}

const cases = CATALOG_BUILTINS.flatMap((builtin) =>
  builtin.versions.flatMap((version) =>
    Object.entries(KUSTOMIZATIONS).map(([form, kustomization]) => [builtin.name, version, form, kustomization, builtin] as const),
  ),
)

test.each(cases)('%s %s runs in a package with a kustomization.yaml %s, as it does in kpt, which gives each item its place', (...one) => {
  const [, version, , kustomization, builtin] = one
  const asText = runOn(kustomization, builtin, version, (runner) => (input) => runner(input))
  const asDocuments = runOn(kustomization, builtin, version, (runner) => runner)
  expect(asDocuments.failed).toBe(false)
  expect(asDocuments).toEqual(asText)
})

function runOn(kustomization: string, builtin: BuiltinFunction, version: string, wrap: (runner: Runner) => Runner) {
  const config = CONFIGS[builtin.name]
  const files: Readonly<Record<string, string>> = {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - image: gcr.io/kpt-fn/${builtin.name}:${version}\n${config === undefined ? '' : `    ${config}\n`}`,
    'kustomization.yaml': kustomization,
    'cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old # kpt-set: ${name}\ndata: {ns: dev}\n',
    ...(builtin.name === 'apply-replacements' && { 'replacements.yaml': REPLACEMENTS }),
  }
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const builtins = CATALOG_BUILTINS.map((each) => ({ ...each, run: (of: string) => wrap(each.run(of)) }))
  const runners = { builtins, programs: new Map(), allowExec: false, imagePrefix: undefined, program: () => failing }
  const [run] = finish(runPackages(readPackages([{ tree, place: '/fleet/pkg', name: (path) => path }]), runners))
  return { failed: run?.failed, changes: run?.changes, results: run?.results.map(({ severity, message }) => `${severity}: ${message}`) }
}

const failing: Runner = () => ({ stdout: '', stderr: 'no program', exitCode: 1 })
