import { expect, test } from 'vitest'
import { diff } from '../../scripts/fuzz/diff.ts'
import { fleetState } from '../../scripts/fuzz/diff-judge/fleet-states.ts'
import { finish } from '../progress.ts'
import { diffFleets } from './diff-fleets.ts'

test('the changes of random fleets are those of two full renders, and the lines that causes name made them', () => {
  const { cases, examples, failures } = diff.run(30, 11)
  expect(examples.join('\n')).toBe('')
  expect([cases, failures]).toEqual([30, 0])
}, 120_000)

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

/** Returns the places that the causes of an edit name, each once. */
function placesOf(file: keyof typeof FILES, ...edits: readonly (readonly [before: string, after: string])[]): readonly string[] {
  const edited = edits.reduce((text, [before, after]) => text.replace(before, after), FILES[file])
  const [from, to] = [FILES, { ...FILES, [file]: edited }].map((files) =>
    fleetState(new Map(Object.entries(files).map(([path, text]) => [path, text.split('\n')])), 'state'),
  )
  if (from === undefined || to === undefined) throw new Error('a fleet that can be rendered')
  const { groups } = finish(diffFleets(from, to, { withComments: false }))
  const causes = groups.flatMap((group) => group.causes)
  const places = causes.flatMap((cause) => [cause, ...(cause.inputs ?? []), ...(cause.details ?? [])])
  return [...new Set(places.map((place) => `${place.file}:${place.line} ${place.text}`))]
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
  const states = [closed, FILES['fleet/ber.yaml'].replace('name: ber', 'name: muc')].map((text) =>
    fleetState(new Map(Object.entries({ ...FILES, 'fleet/ber.yaml': text }).map(([path, each]) => [path, each.split('\n')])), 'state'),
  )
  const [from, to] = states
  if (from === undefined || to === undefined) throw new Error('a fleet that can be rendered')
  const [group] = finish(diffFleets(from, to, { withComments: false })).groups
  expect(group?.causes.flatMap(({ inputs = [] }) => inputs.map(({ file, line }) => `${file}:${line}`))).toEqual([
    'fleet/ber.yaml:4',
    'fleet/ber.yaml:7',
  ])
})
