import { expect, test } from 'vitest'
import { finish } from '../../progress.ts'
import { diffFleets } from '../diff-fleets.ts'
import { type Files, stateOfFiles } from '../testing/states-of-files.ts'

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web, namespace: fleet}
spec:
  upstreams: [{repo: catalog, package: web, revision: 1}]
  targets:
  - repositorySelector: {matchLabels: {status: open}}
  template:
    pipeline:
      mutators:
      - {name: labels, image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1, configMap: {team: payments}}
      - name: setters
        image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
        configMapExprs:
        - key: size
          valueExpr: target.name
  overrides:
  - name: special
    where: target.name == 'ber'
    template: {pipeline: {mutators: [{name: labels, image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1, configMap: {team: special}}]}}`

const FILES = {
  'fleet/set.yaml': MATRIX,
  'fleet/ber.yaml': `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: ber
  namespace: fleet
  labels:
    status: open`,
  'catalog/web@1/Kptfile': `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}`,
  'catalog/web@1/web.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  size: none # kpt-set: \${size}`,
}

/** Returns the places that the causes of the changes between two states name, each once. */
function placesBetween(before: Files, after: Files): readonly string[] {
  const { groups } = finish(diffFleets(stateOfFiles(before), stateOfFiles(after), { withComments: false }))
  const causes = groups.flatMap((group) => group.causes)
  const places = causes.flatMap((cause) => [cause, ...(cause.inputs ?? []), ...(cause.details ?? [])])
  return [...new Set(places.map((place) => `${place.file}:${place.line} ${place.text}`))]
}

/** Returns the places that the causes of an edit name. */
function placesOf(file: keyof typeof FILES, ...edits: readonly (readonly [before: string, after: string])[]): readonly string[] {
  const edited = edits.reduce((text, [before, after]) => text.replace(before, after), FILES[file])
  return placesBetween(FILES, { ...FILES, [file]: edited })
}

test('a key of the set that gets another name is the cause of a value that goes', () => {
  expect(placesOf('fleet/set.yaml', ['key: size', 'key: height'])).toEqual(['fleet/set.yaml:15 function apply-setters, key: size → height'])
})

test('an override that is removed is a cause of the value below it', () => {
  const override = MATRIX.slice(MATRIX.indexOf('  overrides:'))
  expect(placesOf('fleet/set.yaml', [override, '']).some((place) => place.startsWith('fleet/set.yaml:20 '))).toBe(true)
})

test('a setter of the upstream that gets another name is the line of the upstream', () => {
  expect(placesOf('catalog/web@1/web.yaml', ['kpt-set: ${size}', 'kpt-set: ${height}'])).toEqual([
    'catalog/web@1/web.yaml:5 catalog/web 1 has other content',
    'catalog/web@1/web.yaml:5 data.size: setter ${size} → ${height}',
  ])
})

test('a cluster that is renamed while a label brings it in has both lines', () => {
  const closed = FILES['fleet/ber.yaml'].replace('open', 'closed')
  const renamed = FILES['fleet/ber.yaml'].replace('name: ber', 'name: muc')
  expect(placesBetween({ ...FILES, 'fleet/ber.yaml': closed }, { ...FILES, 'fleet/ber.yaml': renamed }).slice(1)).toEqual([
    'fleet/ber.yaml:4 Repository muc',
    'fleet/ber.yaml:7 Repository muc: status: closed → open',
  ])
})

const SOUTH = FILES['fleet/ber.yaml'].replace('status: open', 'status: open\n    region: south')
const FAR = `
  - name: far
    where: target.labels.region == 'south'
    template: {downstream: {package: far}}`

test('an override that names the package of a target which another label brings in is named by the label of its condition too', () => {
  const closed = SOUTH.replace('open', 'closed').replace('south', 'north')
  const files = { ...FILES, 'fleet/set.yaml': MATRIX + FAR }
  const places = placesBetween({ ...files, 'fleet/ber.yaml': closed }, { ...files, 'fleet/ber.yaml': SOUTH })
  expect(places).toContain('fleet/ber.yaml:7 Repository ber: status: closed → open')
  expect(places).toContain('fleet/ber.yaml:8 target.labels.region: north → south')
})

test('an override that is added while a label makes it hold is named beside the label', () => {
  const north = { ...FILES, 'fleet/ber.yaml': SOUTH.replace('south', 'north') }
  const places = placesBetween(north, { ...FILES, 'fleet/ber.yaml': SOUTH, 'fleet/set.yaml': MATRIX + FAR })
  expect(places).toEqual([
    'fleet/set.yaml:23 its package gets another name: web → far',
    'fleet/ber.yaml:8 target.labels.region: north → south',
  ])
})

test('an override that is removed while a label makes it hold no longer is named beside the label, since each is enough', () => {
  const south = { ...FILES, 'fleet/ber.yaml': SOUTH, 'fleet/set.yaml': MATRIX + FAR }
  const places = placesBetween(south, { ...FILES, 'fleet/ber.yaml': SOUTH.replace('south', 'north') })
  expect(places).toContain('fleet/set.yaml:23 spec.overrides[1].template.downstream.package is gone')
  expect(places).toContain('fleet/ber.yaml:8 target.labels.region: south → north')
})

test('an edited name in an override that does not hold is no cause of a package whose label changes', () => {
  const files = { ...FILES, 'fleet/ber.yaml': SOUTH }
  const after = { ...files, 'fleet/ber.yaml': SOUTH.replace('open', 'closed').replace('south', 'north') }
  const places = placesBetween(
    { ...files, 'fleet/set.yaml': MATRIX + FAR },
    { ...after, 'fleet/set.yaml': MATRIX + FAR.replace('package: far', 'package: near') },
  )
  expect(places.filter((place) => place.includes('near'))).toEqual([])
  expect(places).toContain('fleet/ber.yaml:7 Repository ber: status: open → closed')
})

const TWO_ENTRIES = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector:
      matchLabels: {status: shut}
    template: {downstream: {package: far}}
  - repositorySelector:
      matchLabels: {status: open}
    template: {pipeline: {mutators: [{name: labels, image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1, configMap: {team: near}}]}}`

function placesOfSet(...edits: readonly (readonly [before: string, after: string])[]): readonly string[] {
  const edited = edits.reduce((text, [before, after]) => text.replace(before, after), TWO_ENTRIES)
  return placesBetween({ ...FILES, 'fleet/set.yaml': TWO_ENTRIES }, { ...FILES, 'fleet/set.yaml': edited })
}

test('an entry of targets that opens while another one closes names both selectors, though they are equal', () => {
  const lines = placesOfSet(['status: open', 'status: other'], ['status: shut', 'status: open'])
  expect(lines).toContain('fleet/set.yaml:8 repositorySelector.matchLabels.status: shut → open')
  expect(lines).toContain('fleet/set.yaml:11 repositorySelector.matchLabels.status: open → other')
})

test('an entry of targets before others moves no target, so that its line is no cause of what another entry says', () => {
  const added = `  targets:\n  - repositorySelector: {matchLabels: {status: new}}\n    template: {downstream: {package: new}}`
  expect(placesOfSet(['  targets:', added], ['team: near', 'team: next'])).toEqual([
    'fleet/set.yaml:14 function set-labels, spec.targets[2].template.pipeline.mutators[0].configMap.team: near → next',
  ])
})

test('an entry of targets that is removed is named by its selector where a package goes with it', () => {
  const entry = TWO_ENTRIES.slice(TWO_ENTRIES.lastIndexOf('  - repositorySelector'))
  expect(placesOfSet([entry, ''])).toContain('fleet/set.yaml:10 spec.targets[1].repositorySelector is gone')
})

test('a package that gets another name while another entry takes the target too has the name as its only cause', () => {
  const both = TWO_ENTRIES.replace('template: {pipeline', `template: {downstream: {packageExpr: "'p-' + target.name"}, pipeline`)
  const edited = both.replace('status: shut', 'status: open').replace("'p-'", "'q-'")
  const places = placesBetween({ ...FILES, 'fleet/set.yaml': both }, { ...FILES, 'fleet/set.yaml': edited })
  expect(places.filter((place) => !place.includes('targets[0]') && !place.includes('repositorySelector.'))).toEqual([
    "fleet/set.yaml:12 its package gets another name: expression 'p-' + target.name → 'q-' + target.name",
  ])
})

test('a target that moves to another entry while its own gets another name has both causes, since each is enough', () => {
  const lines = placesOfSet(
    ['status: open', 'status: other'],
    ['status: shut', 'status: open'],
    ['{pipeline', '{downstream: {package: next}, pipeline'],
  )
  expect(lines).toContain('fleet/set.yaml:12 its package gets another name: web → next')
  expect(lines).toContain('fleet/set.yaml:9 its package gets another name: web → far')
})

test('an object that the wanted revision lost in the same change is named there too', () => {
  const part = 'apiVersion: v1\nkind: Service\nmetadata: {name: part}'
  const [kptfile, object] = [FILES['catalog/web@1/Kptfile'], FILES['catalog/web@1/web.yaml']]
  const files = { ...FILES, 'catalog/web@2/Kptfile': kptfile, 'catalog/web@2/web.yaml': object, 'catalog/web@2/part.yaml': part }
  const before = { ...files, 'catalog/web@1/part.yaml': part, 'fleet/set.yaml': MATRIX.replace('revision: 1', 'revision: 2') }
  expect(placesBetween(before, files)).toEqual([
    'fleet/set.yaml:5 catalog/web 2 → 1',
    'catalog/web@2/part.yaml:1 Service part is gone',
    'catalog/web@1/part.yaml:1 Service part is gone',
  ])
})

test('a listed repository that another one with another package replaces has the lines of both names', () => {
  const listed = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories:
    - name: ber
      packageNames: [web]`
  const edited = listed.replace('ber', 'muc').replace('[web]', '[shop]')
  const places = placesBetween({ ...FILES, 'fleet/set.yaml': listed }, { ...FILES, 'fleet/set.yaml': edited })
  expect(places.map((place) => place.split(' ')[0])).toEqual(expect.arrayContaining(['fleet/set.yaml:8', 'fleet/set.yaml:9']))
  expect(places).toContain('fleet/set.yaml:9 spec.targets[0].repositories[0].packageNames[0]: web')
  expect(places).toContain('fleet/set.yaml:9 spec.targets[0].repositories[0].packageNames[0]: shop')
})
