import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

let folder = ''
let fleet: TestRepository

beforeEach(() => {
  folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write(
    'catalog/web@v1/d.yaml',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1 # kpt-set: ${replicas}\n',
  )
})

function repository(labels: string): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ams\n  labels:\n    ${labels.replaceAll(', ', '\n    ')}\n`
}

function set(target: string): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - ${target.replaceAll('\n', '\n    ')}
`
}

function replicas(expression: string): string {
  return set(`repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}
template:
  pipeline:
    mutators:
    - name: values
      image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2
      configMapExprs:
      - {key: replicas, valueExpr: "${expression}"}`)
}

/** Commits the first files, writes the second ones, and returns what diff prints. */
async function diffOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>, ...options: readonly string[]) {
  for (const [path, text] of Object.entries(before)) fleet.write(path, text)
  fleet.commit('before')
  for (const [path, text] of Object.entries(after)) fleet.write(path, text)
  return (await recordRun(folder, ['diff', ...options])).stdout
}

test('a label that brings a target in is the cause, with both values and its line', async () => {
  const before = { 'set.yaml': set('repositorySelector: {matchLabels: {region: us}}'), 'ams.yaml': repository('region: eu') }
  const said = await diffOf(before, { 'ams.yaml': repository('region: us') })
  expect(said).toContain('Deployment web is created')
  expect(said).toContain('Repository ams: region: eu → us  ams.yaml:6')
})

test('a label that takes a target out is the cause, with both values and its line', async () => {
  const before = { 'set.yaml': set('repositorySelector: {matchLabels: {region: us}}'), 'ams.yaml': repository('region: us') }
  const said = await diffOf(before, { 'ams.yaml': repository('region: eu') })
  expect(said).toContain('Deployment web is deleted')
  expect(said).toContain('Repository ams: region: us → eu  ams.yaml:6')
})

test('a selector that brings an unchanged target in names the selector alone', async () => {
  const before = { 'set.yaml': set('repositorySelector: {matchLabels: {region: us}}'), 'ams.yaml': repository('region: eu') }
  const said = await diffOf(before, { 'set.yaml': set('repositorySelector: {matchLabels: {region: eu}}') })
  expect(said).toContain('because spec.targets[0].repositorySelector matches its Repository: region=eu  set.yaml:7')
  expect(said).not.toContain('ams.yaml')
})

test('a label that gives the package another name is the cause on both sides', async () => {
  const moving = set(`repositories:\n- name: ams\ntemplate:\n  downstream:\n    packageExpr: "'p-' + repository.labels.region"`)
  const said = await diffOf({ 'set.yaml': moving, 'ams.yaml': repository('region: eu') }, { 'ams.yaml': repository('region: us') })
  const cause = `its package gets another name: expression 'p-' + repository.labels.region  set.yaml:11
        repository.labels.region: eu → us  ams.yaml:6`
  expect(said.split(cause)).toHaveLength(3)
  expect(said).not.toContain('no target of the set')
})

test('an edited branch of an expression that is not evaluated for the cluster is no cause, and the label is', async () => {
  const before = {
    'set.yaml': replicas("{'hub': '3', 'store': '2', 'edge': '1'}[repository.labels.tier]"),
    'ams.yaml': repository('tier: store'),
  }
  const after = {
    'set.yaml': replicas("{'hub': '3', 'store': '2', 'edge': '2'}[repository.labels.tier]"),
    'ams.yaml': repository('tier: hub'),
  }
  const said = await diffOf(before, after)
  expect(said).toContain('repository.labels.tier: store → hub  ams.yaml:6')
  expect(said).not.toContain("'edge': '1'")
})

test('an edited expression beside a changed label that the value does not need is the only cause', async () => {
  const said = await diffOf(
    { 'set.yaml': replicas("repository.labels.tier == 'none' ? '1' : '2'"), 'ams.yaml': repository('tier: store') },
    { 'set.yaml': replicas("repository.labels.tier == 'none' ? '1' : '3'"), 'ams.yaml': repository('tier: hub') },
  )
  expect(said).toContain("'2' → repository.labels.tier == 'none' ? '1' : '3'")
  expect(said).not.toContain('store → hub')
})

test('an expression and a label that the value needs both are both named', async () => {
  const said = await diffOf(
    { 'set.yaml': replicas("repository.labels.tier == 'hub' ? '3' : '2'"), 'ams.yaml': repository('tier: store') },
    { 'set.yaml': replicas("repository.labels.tier == 'hub' ? '5' : '2'"), 'ams.yaml': repository('tier: hub') },
  )
  expect(said).toContain("'3' : '2' → repository.labels.tier == 'hub' ? '5' : '2'")
  expect(said).toContain('repository.labels.tier: store → hub')
})

test('a label that only the old expression reads is a cause beside the new expression, since it changes the value alone', async () => {
  const said = await diffOf(
    { 'set.yaml': replicas("{'hub': '3', 'store': '2'}[repository.labels.tier]"), 'ams.yaml': repository('region: eu, tier: store') },
    { 'set.yaml': replicas("repository.labels.region == 'eu' ? '3' : '2'"), 'ams.yaml': repository('region: eu, tier: hub') },
  )
  expect(said).toContain("[repository.labels.tier] → repository.labels.region == 'eu'")
  expect(said).toContain('repository.labels.tier: store → hub  ams.yaml:7')
})

test('a label that only a branch reads that is not evaluated is no cause beside the label that is', async () => {
  const before = { 'set.yaml': replicas("repository.labels.tier == 'hub' ? repository.labels.many : repository.labels.few") }
  const said = await diffOf(
    { ...before, 'ams.yaml': repository("tier: hub, many: '3', few: '1'") },
    { 'ams.yaml': repository("tier: hub, many: '4', few: '2'") },
  )
  expect(said).toContain('repository.labels.many: 3 → 4  ams.yaml:7')
  expect(said).not.toContain('repository.labels.few:')
})

test('a package that gets another name by its expression, and loses its old name by a label too, names the label where it goes', async () => {
  const moving = (label: string) =>
    set(`repositories:\n- name: ams\ntemplate:\n  downstream:\n    packageExpr: "'p-' + repository.labels.${label}"`)
  const said = await diffOf(
    { 'set.yaml': moving('region'), 'ams.yaml': repository('region: eu, tier: hub') },
    { 'set.yaml': moving('tier'), 'ams.yaml': repository('region: us, tier: hub') },
  )
  const [deleted = '', created = ''] = said.split(/(?=Deployment web is created)/)
  expect(deleted).toContain('repository.labels.region: eu → us  ams.yaml:6')
  expect(created).toContain("'p-' + repository.labels.region → 'p-' + repository.labels.tier")
  expect(created).not.toContain('eu → us')
})

test('an object that upstream renamed has the line of its name in the upstream package, also in the alert', async () => {
  const text = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: d\nspec: {accessModes: [ReadWriteOnce]}\n'
  const before = { 'catalog/web@v1/d.yaml': text, 'set.yaml': set('repositories: [{name: ams}]'), 'ams.yaml': repository('region: eu') }
  const after = { 'catalog/web@v1/d.yaml': text.replace('name: d', 'name: e') }
  expect(await diffOf(before, after)).toContain('metadata.name: d → e  catalog/web@v1/d.yaml:4')
  expect((await recordRun(folder, ['diff', '--format', 'github'])).stdout).toContain('file=catalog/web@v1/d.yaml,line=4')
})

test('the alert of a changed label is at the label, not at the expression that reads it', async () => {
  const zero = { 'set.yaml': replicas("repository.labels.tier == 'off' ? '0' : '2'") }
  const before = { ...zero, 'ams.yaml': repository('tier: on') }
  const said = await diffOf(before, { 'ams.yaml': repository('tier: off') }, '--format', 'github')
  expect(said).toContain('file=ams.yaml,line=6')
})

/** Returns a matrix of one upstream for Repository ams, with rings or overrides. */
function matrix(more: string): string {
  return `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}
  ${more.replaceAll('\n', '\n  ')}
`
}

const rings = (where: string) => matrix(`rings:\n- name: canary\n  where: ${where}\n  revisions: {web: 2}\n- name: world`)
const SECOND = {
  'catalog/web@v2/d.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 4 # kpt-set: ${replicas}\n',
}

test('a label that moves a target to another ring is a cause of what the revision of the ring changes', async () => {
  const before = { ...SECOND, 'set.yaml': rings("target.labels.ring == 'canary'"), 'ams.yaml': repository('ring: world') }
  const said = await diffOf(before, { 'ams.yaml': repository('ring: canary') })
  expect(said).toContain('catalog/web 1 → 2')
  expect(said).toContain('target.labels.ring: world → canary  ams.yaml:6')
})

test('a condition of a ring that moves a target is a cause, with its line', async () => {
  const before = { ...SECOND, 'set.yaml': rings("target.labels.ring == 'canary'"), 'ams.yaml': repository('ring: world') }
  const said = await diffOf(before, { 'set.yaml': rings("target.labels.ring == 'world'") })
  expect(said).toContain("spec.rings[canary].where: target.labels.ring == 'canary' → target.labels.ring == 'world'  set.yaml:11")
  expect(said).not.toContain('ams.yaml')
})

test('a label that makes an override hold, or hold no longer, is a cause of the value that the override gives', async () => {
  const overrides = matrix(`template:
  pipeline:
    mutators:
    - {name: values, image: 'ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2', configMap: {replicas: '2'}}
overrides:
- name: hubs
  where: target.labels.tier == 'hub'
  template:
    pipeline:
      mutators:
      - {name: values, image: 'ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2', configMap: {replicas: '6'}}`)
  const before = { 'set.yaml': overrides, 'ams.yaml': repository('tier: store') }
  const said = await diffOf(before, { 'ams.yaml': repository('tier: hub') })
  expect(said).toContain('spec.replicas: 2 → 6')
  expect(said).toContain('target.labels.tier: store → hub  ams.yaml:6')
  fleet.commit('hub')
  expect(await diffOf({}, { 'ams.yaml': repository('tier: store') })).toContain('target.labels.tier: hub → store  ams.yaml:6')
})

test('a listed repository that another one replaces is named at its own line, not at its packages', async () => {
  const listed = (name: string) => set(`repositories:\n- name: ${name}\n  packageNames: [web]`)
  const said = await diffOf({ 'set.yaml': listed('ams'), 'ams.yaml': repository('a: b') }, { 'set.yaml': listed('fra') })
  expect(said).toContain('no target of the set asks for it any more  set.yaml:8')
  expect(said).toContain('lists it  set.yaml:8')
})

test('a package name of a listed repository that another name replaces is a new name of the package', async () => {
  const listed = (names: string) => set(`repositories:\n- name: ams\n  packageNames: [${names}]`)
  const before = { 'set.yaml': listed('web'), 'ams.yaml': repository('a: b') }
  const said = await diffOf(before, { 'set.yaml': listed('site') })
  expect(said).toContain('its package gets another name: web → site  set.yaml:9')
  fleet.commit('site')
  const more = await diffOf({}, { 'set.yaml': listed('site, web') })
  expect(more).toContain('lists it')
  expect(more).not.toContain('another name')
})

test('a new revision of the ring that a target leaves at the same time is a cause beside the move, if each is enough', async () => {
  const before = { ...SECOND, 'set.yaml': rings("target.labels.ring == 'canary'"), 'ams.yaml': repository('ring: canary') }
  const less = { 'set.yaml': rings("target.labels.ring == 'canary'").replace('web: 2', 'web: 1'), 'ams.yaml': repository('ring: world') }
  const said = await diffOf(before, less)
  expect(said).toContain('target.labels.ring: canary → world  ams.yaml:6')
  expect(said).toContain('web in ring canary: 2 → 1  set.yaml:12')
})

test('a function that a set no longer has is the cause itself, not the one that takes its place', async () => {
  const functions = (...names: readonly string[]) =>
    set(`repositories: [{name: ams}]
template:
  pipeline:
    mutators:
${names.map((name) => `    - {name: ${name}, image: 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1', configMap: {${name}: x}}`).join('\n')}`)
  const said = await diffOf({ 'set.yaml': functions('team', 'owner'), 'ams.yaml': repository('a: b') }, { 'set.yaml': functions('owner') })
  expect(said).toContain('spec.targets[0].template.pipeline.mutators[0]: {"name":"team"')
  expect(said).toContain('→ none  set.yaml:11')
  fleet.commit('fewer')
  expect(await diffOf({}, { 'set.yaml': functions('team', 'owner') })).toContain('mutators[0]: none → {"name":"team"')
})
