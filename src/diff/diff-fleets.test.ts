import { expect, test } from 'vitest'
import { finish } from '../progress.ts'
import { diffFleets } from './diff-fleets.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const CATALOG: Files = { 'catalog/web@1/Kptfile': KPTFILE_TEXT, 'catalog/web@1/web.yaml': configText('web', 'one') }
const OTHER: Files = { ...CATALOG, 'fleet/other.yaml': variantText('other', 'edge/other') }
const BY_HAND: Files = { ...OTHER, 'fleet/web.yaml': variantText('web', 'edge/web') }
const BY_SET: Files = {
  ...OTHER,
  'fleet/set.yaml': `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories:
    - name: edge`,
}
const UNRENDERED = renderedPackages(OTHER)
const ORPHANED: Files = { ...OTHER, 'fleet/web.yaml': variantText('web', 'edge/web', { more: '  deletionPolicy: orphan' }) }

/** Returns the causes of the changes between two states of a fleet with committed packages, as KIND TEXT FILE:LINE. */
function causesBetween(from: readonly [files: Files, packages: Files], to: readonly [files: Files, packages: Files]): readonly string[] {
  const { groups } = finish(diffFleets(stateOfFiles(...from), stateOfFiles(...to), { withComments: false }))
  return groups.flatMap(({ causes }) => causes.map(({ kind, text, file, line }) => `${kind}: ${text} ${file ?? ''}:${line ?? ''}`))
}

test.each<[string, Files, Files, string]>([
  ['a set', BY_SET, BY_SET, 'set web asked for it fleet/set.yaml:8'],
  [
    'a set whose targets changed since',
    BY_SET,
    { ...BY_SET, 'fleet/set.yaml': `# open\n${BY_SET['fleet/set.yaml']}` },
    'set web asked for it fleet/set.yaml:9',
  ],
  ['a variant that a person wrote', BY_HAND, BY_HAND, 'PackageVariant web asked for it fleet/web.yaml:1'],
])('a package that %s asked for before it was rendered is new for that reason', (_, from, to, reason) => {
  const wanted = [`not-rendered: the package was not rendered before, though ${reason}`]
  expect(causesBetween([from, UNRENDERED], [to, renderedPackages(to)])).toEqual(wanted)
  // The later state need not be rendered either: then the next render makes the package.
  expect(causesBetween([from, UNRENDERED], [to, UNRENDERED])).toEqual(wanted)
})

test('a package that only the later set asks for is new because of the set', () => {
  expect(causesBetween([OTHER, UNRENDERED], [BY_HAND, renderedPackages(BY_HAND)])).toEqual([
    'set: PackageVariant web is new fleet/web.yaml:1',
  ])
})

test('a package that no variant asked for, before and after, goes with the next render', () => {
  const packages = renderedPackages(BY_HAND)
  expect(causesBetween([OTHER, packages], [OTHER, packages])).toEqual([
    'not-rendered: render removes the package, since no variant asks for it :',
  ])
})

test('a package that comes without a variant that asks for it was added', () => {
  expect(causesBetween([OTHER, UNRENDERED], [OTHER, renderedPackages(ORPHANED)])).toEqual([
    'edit: the package was added, though no variant asks for it :',
  ])
})
