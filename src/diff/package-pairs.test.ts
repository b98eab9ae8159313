import { expect, test } from 'vitest'
import { objectsIn } from '../merge/package-files.ts'
import { answered } from '../pipeline/calls.ts'
import { GroupedFindings } from '../render/grouped-findings.ts'
import { ChainLinks } from './causes/chain-links.ts'
import type { FleetState } from './fleet-state.ts'
import { packagePairs } from './package-pairs.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const UPSTREAM: Files = {
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', 'one'),
  'catalog/web@1/same.yaml': configText('same', 'one'),
  'catalog/web@2/Kptfile': KPTFILE_TEXT,
  'catalog/web@2/a.yaml': configText('a', 'two'),
  'catalog/web@2/same.yaml': configText('same', 'one'),
}
const fleet = (variants: Readonly<Record<string, string>>, more: Files = {}): Files => ({
  ...UPSTREAM,
  ...Object.fromEntries(Object.entries(variants).map(([name, text]) => [`fleet/${name}.yaml`, text])),
  ...more,
})

/** Returns the packages that may differ, each as FATE FOLDER FILES-BEFORE → FILES-AFTER [INPUTS], and what else was found. */
function compared(from: FleetState, to: FleetState) {
  const findings = new GroupedFindings()
  const { folders, pairOf, failed, behind } = packagePairs(from, to, new ChainLinks(from, to), findings)
  const pairs = folders.flatMap((folder) => answered(pairOf(folder)) ?? [])
  const names = (files: ReadonlyMap<string, unknown> | undefined) => (files === undefined ? 'none' : [...files.keys()].sort().join(','))
  const lines = pairs.map(
    ({ fate, folder, before, after, inputs }) =>
      `${fate} ${folder} ${names(before)} → ${names(after)} [${inputs.map(({ type }) => type).join(',')}]`,
  )
  return {
    lines,
    pairs,
    failed: [...failed],
    behind: [...behind],
    rules: findings.results().map(({ severity, tags }) => `${severity} ${tags.rule}`),
  }
}

const ONE = fleet({ a: variantText('a', 'edge/a'), b: variantText('b', 'edge/b') })
const FILES = 'Kptfile,a.yaml,package-context.yaml,same.yaml'

test('packages that are rendered in both states differ where an input does', () => {
  const two = fleet({ a: variantText('a', 'edge/a', { revision: 2 }), b: variantText('b', 'edge/b') })
  const { lines, pairs, failed, rules } = compared(stateOfFiles(ONE), stateOfFiles(two))
  expect(lines).toEqual([`changed edge/a ${FILES} → ${FILES} [upstream]`])
  expect([failed, rules.filter((rule) => rule.startsWith('error'))]).toEqual([[], []])
  const [pair] = pairs
  expect([pair?.from?.variant.name, pair?.to?.variant.upstream.revision]).toEqual(['a', 2])
  const whole = pair?.whole()
  expect([whole?.before.get('a.yaml'), whole?.after.get('a.yaml')].map((each) => String(each).length > 0)).toEqual([true, true])
  expect([[...(whole?.before.keys() ?? [])].length, [...(whole?.after.keys() ?? [])].length]).toEqual([4, 4])
})

test('a package that only one state renders is created, removed, or left to itself by its deletion policy', () => {
  const more = fleet({ a: variantText('a', 'edge/a'), b: variantText('b', 'edge/b'), c: variantText('c', 'edge/c') })
  const created = compared(stateOfFiles(ONE), stateOfFiles(more))
  expect(created.lines).toEqual([`created edge/c none → ${FILES} []`])
  expect([created.pairs[0]?.from, created.pairs[0]?.to?.variant.name, created.pairs[0]?.whole().before.size]).toEqual([undefined, 'c', 0])
  const removed = compared(stateOfFiles(more), stateOfFiles(ONE))
  expect(removed.lines).toEqual([`removed edge/c ${FILES} → none []`])
  expect([removed.pairs[0]?.from?.variant.name, removed.pairs[0]?.to, removed.pairs[0]?.whole().after.size]).toEqual(['c', undefined, 0])
  const orphan = { ...more, 'fleet/c.yaml': variantText('c', 'edge/c', { more: '  deletionPolicy: orphan\n' }) }
  const left = compared(stateOfFiles(orphan), stateOfFiles(ONE))
  expect(left.lines).toEqual(['left edge/c none → none []'])
  expect([left.pairs[0]?.whole().before.size, left.pairs[0]?.whole().after.size]).toEqual([0, 0])
})

/** A package with a function whose config is wrong: an error of the package. */
const BROKEN: Files = {
  'catalog/broken@1/Kptfile': `${KPTFILE_TEXT}pipeline: {mutators: [{image: 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1', configPath: missing.yaml}]}\n`,
  'catalog/broken@1/a.yaml': configText('a', 'one'),
}

test('a package that cannot be rendered in one of the states is failed, and compared in none', () => {
  const broken = fleet({ a: variantText('a', 'edge/a', { upstream: 'catalog/broken' }), b: variantText('b', 'edge/b') }, BROKEN)
  for (const [from, to] of [
    [ONE, broken],
    [broken, ONE],
  ] as const) {
    const { lines, failed, rules } = compared(stateOfFiles(from), stateOfFiles(to))
    expect([lines, failed]).toEqual([[], ['edge/a']])
    expect(rules.some((rule) => rule.startsWith('error'))).toBe(true)
  }
})

test('of the earlier state only errors are found, of the later one every finding', () => {
  const more = '  packageContext: {data: {key: set}, removeKeys: [key]}\n'
  const noted = (revision: number) => stateOfFiles(fleet({ a: variantText('a', 'edge/a', { revision, more }) }))
  const plain = (revision: number) => stateOfFiles(fleet({ a: variantText('a', 'edge/a', { revision }) }))
  expect(compared(noted(1), plain(2)).rules).toEqual([])
  expect(compared(plain(1), noted(2)).rules).toEqual(['warning context-key-removed'])
})

const committed = renderedPackages(ONE)

test('committed packages that render leaves as they are do not differ', () => {
  expect(Object.keys(committed).sort()).toEqual(['a', 'b'].flatMap((name) => FILES.split(',').map((file) => `edge/${name}/${file}`)))
  expect(compared(stateOfFiles(ONE, committed), stateOfFiles(ONE, committed)).lines).toEqual([])
})

test('of a committed package that render changes only the files that differ are read', () => {
  const two = fleet({ a: variantText('a', 'edge/a', { revision: 2 }), b: variantText('b', 'edge/b') })
  const { lines, pairs } = compared(stateOfFiles(ONE, committed), stateOfFiles(two, committed))
  expect(lines).toEqual(['changed edge/a Kptfile,a.yaml → Kptfile,a.yaml [upstream]'])
  const whole = pairs[0]?.whole()
  expect([whole?.before.size, whole?.after.size, pairs[0]?.folders?.before.files.size]).toEqual([4, 4, 4])
  const values = [pairs[0]?.before, pairs[0]?.after, whole?.before, whole?.after].map((files) =>
    objectsIn(files?.get('a.yaml'))[0]?.get(['data', 'value']),
  )
  expect(values).toEqual(['one', 'two', 'one', 'two'])
})

test('a committed package that was edited has the edit as its input', () => {
  const edited = { ...committed, 'edge/a/a.yaml': configText('a', 'edited') }
  const { lines, pairs } = compared(stateOfFiles(ONE, committed), stateOfFiles(ONE, edited))
  expect(lines).toEqual(['changed edge/a a.yaml → a.yaml [edit]'])
  expect([pairs[0]?.whole().before.size, pairs[0]?.whole().after.size]).toEqual([4, 4])
  const { 'edge/a/same.yaml': _, ...shorter } = committed
  expect(
    compared(stateOfFiles(ONE, { ...shorter, 'edge/a/new.yaml': configText('new', 'x') }), stateOfFiles(ONE, committed)).lines,
  ).toEqual(['changed edge/a new.yaml → same.yaml [edit]'])
})

test('a package that is committed in one state alone, or that a variant of the later state makes, is created or removed', () => {
  const only = (name: string) => Object.fromEntries(Object.entries(committed).filter(([path]) => path.startsWith(`edge/${name}/`)))
  const a = fleet({ a: variantText('a', 'edge/a') })
  const created = compared(stateOfFiles(a, only('a')), stateOfFiles(ONE, committed))
  expect(created.lines).toEqual([`created edge/b none → ${FILES} []`])
  expect(created.pairs[0]?.whole().before.size).toBe(0)
  expect(compared(stateOfFiles(ONE, only('a')), stateOfFiles(ONE, only('a'))).lines).toEqual([`created edge/b none → ${FILES} []`])
  const removed = compared(stateOfFiles(ONE, committed), stateOfFiles(a, only('a')))
  expect(removed.lines).toEqual([`removed edge/b ${FILES} → none [edit]`])
  expect(removed.pairs[0]?.whole().after.size).toBe(0)
  const unwanted = compared(stateOfFiles(ONE, committed), stateOfFiles(a, committed))
  expect(unwanted.lines).toEqual([`removed edge/b ${FILES} → none []`])
  expect([unwanted.pairs[0]?.from?.variant.name, unwanted.pairs[0]?.to]).toEqual(['b', undefined])
})

test('a package that cannot be rendered on top of the committed one is failed', () => {
  const broken = fleet({ a: variantText('a', 'edge/a', { upstream: 'catalog/broken' }), b: variantText('b', 'edge/b') }, BROKEN)
  const { lines, failed } = compared(stateOfFiles(ONE, committed), stateOfFiles(broken, committed))
  expect([lines, failed]).toEqual([[], ['edge/a']])
})

test('a folder with a package that no variant made is left as it is', () => {
  const own = { ...committed, 'edge/a/Kptfile': KPTFILE_TEXT, 'edge/a/a.yaml': configText('a', 'own') }
  expect(compared(stateOfFiles(ONE, own), stateOfFiles(ONE, own)).lines).toEqual([])
})

test('a package that moves is compared with the folder that it comes from', () => {
  const moving = fleet({ a: variantText('a', 'edge/new'), b: variantText('b', 'edge/b') })
  const to = stateOfFiles(moving, committed)
  const steps = to.plan.steps.map((step) => (step.folder === 'edge/new' ? { ...step, op: 'update' as const, movedFrom: 'edge/a' } : step))
  const { lines, pairs } = compared(stateOfFiles(ONE, committed), { ...to, plan: { ...to.plan, steps, leftovers: [] } })
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['changed edge/new'])
  expect([pairs[0]?.from?.folder, pairs[0]?.to?.folder, pairs[0]?.folders?.before.files.size]).toEqual(['edge/a', 'edge/new', 4])
  expect(pairs[0]?.inputs.map(({ type }) => type)).toEqual(['field'])
})

test('a revision whose content changed under the packages is counted, once for each package that stays as it is', () => {
  const moved = { ...ONE, 'catalog/web@1/a.yaml': configText('a', 'moved') }
  const { lines, behind } = compared(stateOfFiles(ONE, committed), stateOfFiles(moved, committed))
  expect([lines, behind]).toEqual([[], [['catalog/web 1', 2]]])
  const two = fleet({ a: variantText('a', 'edge/a', { revision: 2 }), b: variantText('b', 'edge/b') })
  expect(compared(stateOfFiles(two, committed), stateOfFiles(moved, committed)).behind).toEqual([['catalog/web 1', 1]])
  const unnamed = (value: string): Files => ({
    'catalog/web/Kptfile': KPTFILE_TEXT,
    'catalog/web/a.yaml': configText('a', value),
    'fleet/a.yaml': variantText('a', 'edge/a').replace(', revision: 1', ''),
  })
  const packages = renderedPackages(unnamed('one'))
  expect(compared(stateOfFiles(unnamed('one'), packages), stateOfFiles(unnamed('two'), packages)).behind).toEqual([['catalog/web', 1]])
  expect(compared(stateOfFiles(ONE, committed), stateOfFiles(ONE, committed)).behind).toEqual([])
})

test('the committed packages of both states are read in chunks of a hundred', () => {
  const names = Array.from({ length: 101 }, (_, index) => `p${String(index).padStart(3, '0')}`)
  const many = fleet(Object.fromEntries(names.map((name) => [name, variantText(name, `edge/${name}`)])))
  const packages = renderedPackages(many)
  const loads: string[] = []
  const noted = (state: FleetState, side: string): FleetState => {
    if (state.committed === undefined) throw new Error('must be committed')
    const load = (folders: readonly string[]) => loads.push(`${side} ${folders.length} from ${folders[0]}`)
    return { ...state, committed: { ...state.committed, load } }
  }
  compared(noted(stateOfFiles(many, packages), 'from'), noted(stateOfFiles(many, packages), 'to'))
  expect(loads).toEqual(['from 100 from edge/p000', 'to 100 from edge/p000', 'from 1 from edge/p100', 'to 1 from edge/p100'])
})
