import { expect, test } from 'vitest'
import { objectsIn } from '../../merge/package-files.ts'
import type { FleetState, PackageStep } from '../fleet-state.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from '../testing/states-of-files.ts'
import type { ChangedPackage } from './attribution.ts'
import { ChainLinks } from './chain-links.ts'

/** Returns a chain `catalog/web` → `edge/a` → `far/a` → `end/a`. */
const chain = (value = 'one', { more = '', far = 'edge/a', a = 'edge/a' } = {}): Files => ({
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', value),
  'fleet/a.yaml': variantText('a', a, { more }),
  'fleet/far.yaml': variantText('far', 'far/a', { upstream: far }),
  'fleet/end.yaml': variantText('end', 'end/a', { upstream: 'far/a' }),
})

function stepOf({ plan }: FleetState, folder: string): PackageStep {
  const step = plan.steps.find((each) => each.folder === folder)
  if (step === undefined) throw new Error(`must have ${folder}`)
  return step
}

/** Returns the package of a folder in two states, as the links of both states have it. */
function changed(from: FleetState, to: FleetState, folder: string, links = new ChainLinks(from, to)): ChangedPackage {
  const [was, is] = [stepOf(from, folder), stepOf(to, folder)]
  return links.changed({ from: was, to: is, inputs: links.comparison.between(was, is) })
}

/** Returns a package as FOLDER VALUE → FOLDER VALUE [INPUTS], where the values are those of its upstream; `none` for no package. */
function shown(link: ChangedPackage | undefined): string {
  if (link === undefined) return 'none'
  const { from, to, inputs } = link
  const value = ({ folder, upstream }: PackageStep) => {
    const [object] = objectsIn(upstream.source.files.get('a.yaml'))
    return `${folder} ${String(object?.get(['data', 'value']))}`
  }
  return `${value(from)} → ${value(to)} [${inputs.map(({ type }) => type).join(',')}]`
}

test('each link of a chain is the package that makes the upstream, up to the one whose upstream no variant makes', () => {
  const [from, to] = [stateOfFiles(chain('one')), stateOfFiles(chain('two'))]
  const end = changed(from, to, 'end/a')
  const far = end.link?.()
  const edge = far?.link?.()
  expect([end, far, edge, edge?.link?.()].map(shown)).toEqual([
    'end/a one → end/a two [upstream]',
    'far/a one → far/a two [upstream]',
    'edge/a one → edge/a two [upstream]',
    'none',
  ])
})

test('a package is given with the content of its upstream, which no other render makes again', () => {
  const [from, to] = [stateOfFiles(chain()), stateOfFiles(chain())]
  expect([stepOf(to, 'far/a').upstream.maker?.name, stepOf(from, 'far/a').upstream.source.files.size]).toEqual(['a', 0])
  const far = changed(from, to, 'far/a')
  expect([far.from.upstream.maker, far.to.upstream.maker]).toEqual([undefined, undefined])
  expect([far.from.folder, far.from.variant.name, far.folders]).toEqual(['far/a', 'far', undefined])
  expect(changed(from, to, 'edge/a').from).toBe(stepOf(from, 'edge/a'))
})

test('a link is found once', () => {
  const [from, to] = [stateOfFiles(chain('one')), stateOfFiles(chain('two'))]
  const links = new ChainLinks(from, to)
  const far = changed(from, to, 'end/a', links).link?.()
  expect(changed(from, to, 'end/a', links).link?.()).toBe(far)
  expect(far).not.toBe(undefined)
})

test('a package whose upstream a variant makes in one state alone has no link', () => {
  const [own, published] = [stateOfFiles(chain()), stateOfFiles(chain('one', { far: 'catalog/web' }))]
  expect(shown(changed(published, own, 'far/a').link?.())).toBe('none')
  expect(shown(changed(own, published, 'far/a').link?.())).toBe('none')
})

/** Returns the packages of the whole chain: each link is made from the package of the link before. */
function committed(files: Files): Files {
  const { 'fleet/far.yaml': far = '', 'fleet/end.yaml': _, ...first } = files
  const edge = renderedPackages(first)
  const both = { ...edge, ...renderedPackages({ ...first, 'fleet/far.yaml': far }, edge) }
  return { ...both, ...renderedPackages(files, both) }
}

const ONE = chain('one')
const PACKAGES = committed(ONE)
const EDITED = { ...PACKAGES, 'edge/a/a.yaml': configText('a', 'edited') }

test('a committed link is the upstream as it is committed before, and as render leaves it after', () => {
  const far = changed(stateOfFiles(ONE, EDITED), stateOfFiles(ONE, EDITED), 'far/a')
  expect(shown(far)).toBe('far/a edited → far/a edited []')
  expect(far.from.upstream.origin.tree).toMatch(/^[0-9a-f]{40}$/)
  const two = stateOfFiles(chain('two'), PACKAGES)
  const next = changed(stateOfFiles(ONE, PACKAGES), two, 'far/a')
  expect(shown(next)).toBe('far/a one → far/a one []')
})

test('a link that was edited between two states has the edit as an input, and its committed packages', () => {
  const link = changed(stateOfFiles(ONE, PACKAGES), stateOfFiles(ONE, EDITED), 'far/a').link?.()
  expect(shown(link)).toBe('edge/a one → edge/a one [edit]')
  const text = (folder: 'before' | 'after') => String(link?.folders?.[folder].files.get('a.yaml')?.read())
  expect([text('before'), text('after')]).toEqual([PACKAGES['edge/a/a.yaml'], configText('a', 'edited')])
})

test('a link without an edit has the inputs of its variant', () => {
  const labelled = stateOfFiles(chain('one', { more: '  labels: {a: b}\n' }), PACKAGES)
  const link = changed(stateOfFiles(ONE, PACKAGES), labelled, 'far/a').link?.()
  expect([shown(link), link?.folders?.before.files.size]).toEqual(['edge/a one → edge/a one [field]', 3])
})

test('a link that is committed in one state alone has no committed packages', () => {
  const link = changed(stateOfFiles(ONE), stateOfFiles(ONE, PACKAGES), 'far/a').link?.()
  expect([shown(link), link?.folders]).toEqual(['edge/a one → edge/a one []', undefined])
})

test('a link that is not committed yet is rendered', () => {
  const { 'edge/a/Kptfile': _, 'edge/a/a.yaml': __, 'edge/a/package-context.yaml': ___, ...without } = PACKAGES
  const far = changed(stateOfFiles(ONE, without), stateOfFiles(ONE, without), 'far/a')
  expect(shown(far)).toBe('far/a one → far/a one []')
})
