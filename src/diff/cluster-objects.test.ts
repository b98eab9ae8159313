import { expect, test } from 'vitest'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import { asRecord, scalarText } from '../json.ts'
import { answered } from '../pipeline/calls.ts'
import { ChainLinks } from './causes/chain-links.ts'
import { ClusterObjects, objectsOfPair } from './cluster-objects.ts'
import type { PackageObjects } from './dangers/danger-rule.ts'
import type { FleetState } from './fleet-state.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const upstream = (name: string, revision: number, value: string): Files => ({
  [`catalog/${name}@${revision}/Kptfile`]: KPTFILE_TEXT,
  [`catalog/${name}@${revision}/a.yaml`]: configText(name, value),
  [`catalog/${name}@${revision}/README.md`]: 'text',
})
const UPSTREAM: Files = { ...upstream('web', 1, 'one'), ...upstream('web', 2, 'two'), ...upstream('dns', 1, 'one') }
const WEB = variantText('web', 'edge/web')
const DNS = variantText('dns', 'edge/dns', { upstream: 'catalog/dns' })
const FLEET: Files = { ...UPSTREAM, 'fleet/web.yaml': WEB, 'fleet/dns.yaml': DNS, 'fleet/far.yaml': variantText('far', 'far/web') }
const NEWER: Files = { ...FLEET, 'fleet/web.yaml': variantText('web', 'edge/web', { revision: 2 }) }

function clustersOf(from: FleetState, to: FleetState): ClusterObjects {
  return new ClusterObjects(from, to, new ChainLinks(from, to).comparison)
}

/** Returns the objects of a state as NAME=VALUE. */
const shown = (objects: PackageObjects['before']) =>
  objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata, data }) => `${scalarText(asRecord(metadata).name)}=${scalarText(asRecord(data).value)}`)

function objectsOf(from: FleetState, to: FleetState, cluster = 'edge') {
  const found = answered(clustersOf(from, to).of(cluster))
  return found && [shown(found.before).toSorted(), shown(found.after).toSorted()]
}

test('a cluster gets the objects of all its packages in both states, without Kptfiles and files without objects', () => {
  expect(objectsOf(stateOfFiles(FLEET), stateOfFiles(NEWER))).toEqual([
    ['dns=one', 'web=one'],
    ['dns=one', 'web=two'],
  ])
  const found = answered(clustersOf(stateOfFiles(FLEET), stateOfFiles(NEWER)).of('edge'))
  expect(found?.before.map(({ kind }) => kind).includes('Kptfile')).toBe(false)
})

test('a cluster of one package, or of none, is left to the caller', () => {
  expect(objectsOf(stateOfFiles(FLEET), stateOfFiles(NEWER), 'far')).toBeUndefined()
  expect(objectsOf(stateOfFiles(FLEET), stateOfFiles(NEWER), 'nowhere')).toBeUndefined()
  const { 'fleet/dns.yaml': _, ...alone } = FLEET
  expect(objectsOf(stateOfFiles(alone), stateOfFiles(FLEET))).toEqual([['web=one'], ['dns=one', 'web=one']])
})

test('a cluster is read once, and again after the comparison forgot it', () => {
  const clusters = clustersOf(stateOfFiles(FLEET), stateOfFiles(NEWER))
  const first = answered(clusters.of('edge'))
  expect(answered(clusters.of('edge'))).toBe(first)
  clusters.forget('far')
  expect(answered(clusters.of('edge'))).toBe(first)
  clusters.forget('edge')
  const again = answered(clusters.of('edge'))
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})

test('a package that is rendered equally in both states is read once', () => {
  const found = answered(clustersOf(stateOfFiles(FLEET), stateOfFiles(NEWER)).of('edge'))
  const dns = (objects: PackageObjects['before'] = []) => objects.find(({ metadata }) => asRecord(metadata).name === 'dns')
  expect(dns(found?.after)).toBe(dns(found?.before))
})

test('a package that cannot be rendered gives its cluster nothing', () => {
  const broken = {
    ...FLEET,
    'catalog/web@1/Kptfile': `${KPTFILE_TEXT}pipeline: {mutators: [{image: 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1', configPath: missing.yaml}]}\n`,
  }
  expect(objectsOf(stateOfFiles(FLEET), stateOfFiles(broken))).toEqual([['dns=one', 'web=one'], ['dns=one']])
})

test('of committed packages the earlier ones are those in the repository, the later ones those that render leaves', () => {
  const committed = renderedPackages(FLEET)
  const edited = {
    ...committed,
    'edge/dns/a.yaml': configText('dns', 'edited'),
    'edge/more/Kptfile': KPTFILE_TEXT,
    'edge/more/a.yaml': configText('more', 'x'),
  }
  expect(objectsOf(stateOfFiles(FLEET, committed), stateOfFiles(NEWER, committed))).toEqual([
    ['dns=one', 'web=one'],
    ['dns=one', 'web=two'],
  ])
  const [before, after] = objectsOf(stateOfFiles(FLEET, edited), stateOfFiles(NEWER, edited)) ?? []
  expect(before).toEqual(['dns=edited', 'more=x', 'web=one'])
  expect(after).toEqual(['dns=edited', 'more=x', 'web=two'])
  const { 'fleet/dns.yaml': _, ...without } = FLEET
  expect(objectsOf(stateOfFiles(FLEET, committed), stateOfFiles(without, committed))).toEqual([['dns=one', 'web=one'], ['web=one']])
})

test('the objects of a pair are read when they are first asked for, once', () => {
  let reads = 0
  const whole = () => {
    reads++
    return { before: packageOfTexts({ Kptfile: KPTFILE_TEXT, 'a.yaml': configText('a', '1') }), after: packageOfTexts({ 'b.txt': 'text' }) }
  }
  const objects = objectsOfPair({ folder: 'edge/a', fate: 'changed', inputs: [], whole })
  expect(reads).toBe(0)
  expect([shown(objects().before), objects().after, objects().before.length]).toEqual([['a=1'], [], 1])
  expect(reads).toBe(1)
})
