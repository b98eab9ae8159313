import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { FunctionError } from '../../result.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

const SHOP = {
  Kptfile: `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ${CATALOG}/set-namespace:v0.4.1
    configMap: {namespace: shops}
`,
  'till.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: till}\ndata: {mode: day}\n',
}

/** The Kptfile of a subpackage as people have it who asked for a revision of `net`. */
function asking(ref: string, at: string): string {
  return `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: net
upstream:
  type: git
  git:
    repo: catalog
    directory: /net
    ref: ${ref} # raised by ana
  updateStrategy: resource-merge
upstreamLock:
  type: git
  git:
    repo: catalog
    directory: /net
    ref: ${at}
`
}

const NET_KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: net\n'

function service(port: string, more = ''): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: net
spec:
  type: ${more === '' ? 'ClusterIP' : more}
  externalName: a
  sessionAffinity: ${port}
`
}

const OLD = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old\ndata: {a: b}\n'
const NET_1 = { Kptfile: NET_KPTFILE, 'service.yaml': service('None'), 'old.yaml': OLD, 'README.md': 'one\n' }
const NET_2 = { Kptfile: NET_KPTFILE, 'service.yaml': service('ClientIP'), 'new.yaml': OLD.replace('old', 'new'), 'README.md': 'two\n' }

/** A rendered package of `shop`, into which people put revision v1 of `net`. */
function fleetWithNet(revisions: ConstructorParameters<typeof OneVariantFleet>[0] = { v1: SHOP }, net = NET_1): OneVariantFleet {
  const fleet = new OneVariantFleet(revisions)
  fleet.writeAll('catalog/net@v1', net)
  fleet.writeAll('catalog/net@v2', NET_2)
  fleet.render(1)
  fleet.writeAll('out/edge/shop/sub/net', { ...net, Kptfile: asking('v1', 'v1') })
  fleet.render(1)
  return fleet
}

test("a subpackage that asks for another revision gets upstream's changes, and keeps people's", () => {
  const fleet = fleetWithNet()
  fleet.editPackage('sub/net/service.yaml', 'externalName: a', 'externalName: ours # why')
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  const report = fleet.render(1)
  expect(report.results).toEqual([])
  expect(fleet.readPackage('sub/net/service.yaml')).toContain('externalName: ours # why\n  sessionAffinity: ClientIP')
  const files = fleet.files()
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['sub/net/new.yaml']))
  expect(Object.keys(files)).not.toContain('sub/net/old.yaml')
  expect(files['sub/net/new.yaml']).toContain('namespace: shops')
  expect(files['sub/net/README.md']).toBe('two\n')
  expect(files['sub/net/Kptfile']).toContain('ref: v2 # raised by ana')
  expect(files['sub/net/Kptfile']).not.toContain('upstreamLock')
  expect(fleet.render(1).results).toEqual([])
  expect(fleet.files()).toEqual(files)
})

/** Returns the errors of a render, each with rule, file and message. */
function refusalsOf(fleet: OneVariantFleet): readonly string[] {
  const files = fleet.files()
  try {
    fleet.render(1)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    expect(fleet.files()).toEqual(files)
    return error.results.map(({ tags, file, message }) => `${tags.rule} ${file?.path} ${message}`)
  }
  return []
}

/** The errors of a render after the Kptfile of the subpackage was edited. */
function refusedAfter(before: string, after: string): readonly string[] {
  const fleet = fleetWithNet()
  fleet.editPackage('sub/net/Kptfile', before, after)
  return refusalsOf(fleet)
}

test('a subpackage that asks for a revision that is not there leaves the whole package as it is', () => {
  expect(refusedAfter('ref: v1 #', 'ref: v7 #').join('\n')).toMatch(
    /^upstream-missing out\/edge\/shop\/sub\/net\/Kptfile `upstream\.git\.ref` must name an existing package, found none at 'catalog\/net@v7'.*'catalog\/net@v2'.*; the subpackage is at 'v1'/,
  )
})

test('a subpackage whose new upstream no repository of the fleet has is an error', () => {
  const [found = ''] = refusedAfter(
    'repo: catalog\n    directory: /net\n    ref: v1 #',
    'repo: https://git.example/far\n    directory: /net\n    ref: v2 #',
  )
  expect(found).toMatch(
    /^upstream-missing out\/edge\/shop\/sub\/net\/Kptfile `upstream\.git\.repo` must be a repository that .* got 'https:\/\/git\.example\/far'/,
  )
})

test('a subpackage whose old revision is gone is an error, since edits would be lost', () => {
  expect(refusedAfter('ref: v1\n', 'ref: v0\n').join('\n')).toMatch(/^original-missing .*'catalog\/net@v0'/)
})

test('a subpackage with an upstream that is no map is an error', () => {
  expect(refusedAfter('upstream:\n  type: git\n  git:\n', 'upstream:\n  type: git\n  git: here\nother:\n  x:\n').join('\n')).toMatch(
    /^kptfile out\/edge\/shop\/sub\/net\/Kptfile `upstream\.git` must be a map/,
  )
})

test('a subpackage at the tag of the package alone is at its revision', () => {
  const fleet = fleetWithNet()
  fleet.editPackage('sub/net/Kptfile', 'ref: v1\n', 'ref: net/v1\n')
  expect(fleet.render(1).results).toEqual([])
  expect(fleet.readPackage('sub/net/service.yaml')).toContain('sessionAffinity: None')
})

test.each(['fast-forward', 'force-delete-replace'])('the strategy %s of a subpackage refuses its edits', (strategy) => {
  const fleet = fleetWithNet()
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  fleet.editPackage('sub/net/Kptfile', 'resource-merge', strategy)
  fleet.editPackage('sub/net/service.yaml', 'externalName: a', 'externalName: ours')
  expect(refusalsOf(fleet).join('\n')).toMatch(/^local-changes .* changes in 'service.yaml'/)
  fleet.editPackage('sub/net/service.yaml', 'externalName: ours', 'externalName: a')
  expect(rulesOf(fleet.render(1))).toEqual([])
  expect(fleet.readPackage('sub/net/service.yaml')).toContain('sessionAffinity: ClientIP')
})

test('an edit that upstream changed too is lost with a warning at its place', () => {
  const fleet = fleetWithNet()
  fleet.editPackage('sub/net/service.yaml', 'sessionAffinity: None', 'sessionAffinity: Ours')
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  const { results } = fleet.render(1)
  expect(results.map(({ tags, file }) => `${tags.rule} ${file?.path}`)).toEqual(['edit-lost out/edge/shop/sub/net/service.yaml'])
  expect(results[0]?.message).toMatch(/upstream changed it to 'ClientIP' \(fleet\/catalog\/net@v2\/service\.yaml:\d+:/)
})

const OWN_KPTFILE = asking('v1', 'v1').replace('ref: v1 # raised by ana', 'ref: v1')
const SHOP_WITH_NET = {
  ...SHOP,
  ...Object.fromEntries(Object.entries({ ...NET_1, Kptfile: OWN_KPTFILE }).map(([path, text]) => [`net/${path}`, text])),
}

test('a subpackage of the upstream package comes with the package, and is updated by itself when people ask for another revision', () => {
  const fleet = new OneVariantFleet({ v1: SHOP_WITH_NET, v2: { ...SHOP_WITH_NET, 'net/service.yaml': service('Upstreams') }, v3: SHOP })
  fleet.writeAll('catalog/net@v2', NET_2)
  fleet.writeAll('catalog/net@v1', NET_1)
  fleet.render(1)
  fleet.editPackage('net/Kptfile', 'ref: v1', 'ref: v2')
  expect(rulesOf(fleet.render(1))).toEqual([])
  expect(fleet.readPackage('net/service.yaml')).toContain('sessionAffinity: ClientIP')
  expect(rulesOf(fleet.render(2))).toEqual(['change-passed-over'])
  expect(fleet.readPackage('net/service.yaml')).toContain('sessionAffinity: ClientIP')
  expect(rulesOf(fleet.render(3))).toEqual(['change-passed-over'])
  expect(fleet.readPackage('net/service.yaml')).toContain('sessionAffinity: ClientIP')
})

test("a subpackage whose revision the author of upstream's package raised without an update is left to the author", () => {
  const fleet = new OneVariantFleet({ v1: { ...SHOP_WITH_NET, 'net/Kptfile': OWN_KPTFILE.replace('ref: v1\n  up', 'ref: v9\n  up') } })
  fleet.render(1)
  expect(rulesOf(fleet.render(1))).toEqual([])
})

test('a new revision of the package and of a subpackage arrive in one render', () => {
  const fleet = fleetWithNet({
    v1: SHOP,
    v2: { ...SHOP, Kptfile: SHOP.Kptfile.replace('shops', 'stores'), 'till.yaml': SHOP['till.yaml'].replace('day', 'night') },
  })
  fleet.editPackage('sub/net/service.yaml', 'externalName: a', 'externalName: ours')
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  expect(fleet.render(2).results).toEqual([])
  expect(fleet.readPackage('till.yaml')).toContain('night')
  const files = fleet.files()
  expect(files['sub/net/service.yaml']).toMatch(/namespace: stores[\s\S]*externalName: ours\n {2}sessionAffinity: ClientIP/)
  expect(files['sub/net/old.yaml']).toBeUndefined()
})

test("a file of the package that is a package of the subpackage's new revision too is an error", () => {
  const fleet = fleetWithNet()
  fleet.writeAll('catalog/net@v2/inner', { Kptfile: NET_KPTFILE.replace('net', 'inner') })
  fleet.writeAll('out/edge/shop/sub/net/inner', { Kptfile: NET_KPTFILE.replace('net', 'mine') })
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  expect(refusalsOf(fleet).join('\n')).toMatch(/^package-added-twice out\/edge\/shop\/sub\/net\/inner\/Kptfile /)
})

test("the executable bit that a subpackage's new revision turns on or off arrives, and one that people turned stays", () => {
  const fleet = fleetWithNet()
  const place = (path: string): string => join(fleet.root, path)
  const bits = (): readonly boolean[] =>
    ['on.sh', 'off.sh', 'ours.sh'].map((name) => (statSync(place(`out/edge/shop/sub/net/${name}`)).mode & 0o111) !== 0)
  for (const folder of ['catalog/net@v1', 'catalog/net@v2', 'out/edge/shop/sub/net'])
    fleet.writeAll(folder, { 'on.sh': '#!/bin/sh\n', 'off.sh': '#!/bin/sh\n', 'ours.sh': '#!/bin/sh\n' })
  for (const path of ['catalog/net@v2/on.sh', 'catalog/net@v1/off.sh', 'out/edge/shop/sub/net/off.sh', 'out/edge/shop/sub/net/ours.sh'])
    chmodSync(place(path), 0o755)
  expect(fleet.render(1).results).toEqual([])
  expect(bits()).toEqual([false, true, true])
  fleet.editPackage('sub/net/Kptfile', 'ref: v1 #', 'ref: v2 #')
  expect(fleet.render(1).results).toEqual([])
  expect(bits()).toEqual([true, false, true])
})
