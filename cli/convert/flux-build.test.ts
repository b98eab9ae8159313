import { expect, test } from 'vitest'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { helmReleases } from './flux-build.ts'

/** Returns the lines about HelmReleases of a tree, of which an overlay has objects `Kind name`. */
function linesOf(releases: readonly string[], built: readonly string[]): readonly string[] {
  const texts = built.map((each) => each.split(' ')).map(([kind, name]) => JSON.stringify({ apiVersion: 'v1', kind, metadata: { name } }))
  const { objects } = readVendorObjects([{ name: 'a.yaml', bytes: Buffer.from(texts.join('\n---\n')) }])
  const found = releases.map((name, index) => ({ name, place: `r.yaml:${index + 1}:1` }))
  return helmReleases(found, new Map([['prod', objects]]))
}

const STAYS = 'for Flux, which renders the chart; krm-variants import --helm makes a package of a chart'

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['none', [], ['HelmRelease web'], []],
  ['one of an overlay', ['web'], ['HelmRelease web'], [`r.yaml:1:1: HelmRelease web stays an object ${STAYS}`]],
  ['one with a prefix and a suffix', ['web'], ['HelmRelease prod-web-eu'], [`r.yaml:1:1: HelmRelease web stays an object ${STAYS}`]],
  ['one name in two files', ['web', 'web'], ['HelmRelease web'], [`r.yaml:1:1: HelmRelease web stays an object ${STAYS}`]],
  ['two', ['web', 'db'], ['HelmRelease web', 'HelmRelease db'], [`r.yaml:1:1: HelmRelease web, db stay objects ${STAYS}`]],
  ['one of no overlay', ['web'], ['Service web'], ['r.yaml:1:1: HelmRelease web is in no overlay, so no cluster gets it']],
  [
    'one of an overlay behind one of none',
    ['web', 'db'],
    ['HelmRelease db'],
    ['r.yaml:1:1: HelmRelease web is in no overlay, so no cluster gets it', `r.yaml:2:1: HelmRelease db stays an object ${STAYS}`],
  ],
])('of HelmReleases, %s, the lost ones are named first, and then those that stay', (_, releases, built, lines) => {
  expect(linesOf(releases, built)).toEqual(lines)
})
