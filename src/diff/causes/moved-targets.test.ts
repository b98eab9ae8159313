import { expect, test } from 'vitest'
import { PORCH_CONFIG_GROUP } from '../../well-known.ts'
import { type VariantOrigin, variantOrigins } from '../fleet-state.ts'
import { labelledRepository, matrixFleet, matrixText, webAt } from '../testing/matrix-states.ts'
import { type Files, KPTFILE_TEXT, stateOfFiles } from '../testing/states-of-files.ts'
import { changedLabels, VariantsByTarget } from './moved-targets.ts'

const originsOf = (files: Files) => variantOrigins(stateOfFiles(files).sets)

const packageOf = ({ change: { why } }: VariantOrigin) => `${why?.repo}/${why?.package}`

/** Returns each package of both states with the one of the other state that has the same target: `from ber/a: ber/b`. */
function othersOf(before: Files, after: Files): readonly string[] {
  const [from, to] = [originsOf(before), originsOf(after)]
  const byTarget = new VariantsByTarget(from, to)
  const shown = (side: string, origins: typeof from) =>
    Array.from(origins.values(), (origin) => {
      const other = byTarget.otherOf(origin)
      return `${side} ${packageOf(origin)}: ${other === undefined ? 'none' : packageOf(other)}`
    })
  return [...shown('from', from), ...shown('to', to)]
}

const OTHER_UPSTREAMS: Files = { 'other/web@1/Kptfile': KPTFILE_TEXT, 'catalog/dns@1/Kptfile': KPTFILE_TEXT }
const OPEN = { ber: ['status: open'] }
const named = (name: string) => matrixText(webAt(1), `template: {downstream: {packageExpr: ${JSON.stringify(name)}}}`)
const listed = (...lines: readonly string[]) =>
  matrixText(webAt(1)).replace('  - repositorySelector: {matchLabels: {status: open}}', ['  - repositories:', ...lines].join('\n'))

test.each<[string, Files, Files, readonly string[]]>([
  [
    'a package that gets another name is the package of its target, in both directions',
    matrixFleet(named("'a'"), OPEN),
    matrixFleet(named("'b'"), OPEN),
    ['from ber/a: ber/b', 'to ber/b: ber/a'],
  ],
  [
    'each of several targets has its own package',
    matrixFleet(named("'a'"), { ...OPEN, muc: ['status: open'] }),
    matrixFleet(named("'b'"), { ...OPEN, muc: ['status: open'] }),
    ['from ber/a: ber/b', 'from muc/a: muc/b', 'to ber/b: ber/a', 'to muc/b: muc/a'],
  ],
  [
    'a target that the other state does not have has no package there',
    matrixFleet(named("'a'"), OPEN),
    matrixFleet(named("'a'"), { muc: ['status: open'] }),
    ['from ber/a: none', 'to muc/a: none'],
  ],
  [
    'packages of several names of one target are paired by their names',
    matrixFleet(listed('    - {name: ber, packageNames: [a]}'), OPEN),
    matrixFleet(listed('    - {name: ber, packageNames: [b, a]}'), OPEN),
    ['from ber/a: ber/a', 'to ber/b: none', 'to ber/a: ber/a'],
  ],
  [
    'the one package of a target is the same also under another name in its list',
    matrixFleet(listed('    - {name: ber, packageNames: [a]}'), OPEN),
    matrixFleet(listed('    - {name: ber, packageNames: [b]}'), OPEN),
    ['from ber/a: ber/b', 'to ber/b: ber/a'],
  ],
  [
    'a listed repository is another target than a selected one',
    matrixFleet(listed('    - {name: ber}'), OPEN),
    matrixFleet(matrixText(webAt(1)), OPEN),
    ['from ber/web: none', 'to ber/web: none'],
  ],
  [
    'the packages of two upstreams are two',
    matrixFleet(matrixText(`${webAt(1)}, {repo: catalog, package: dns, revision: 1}`), OPEN, OTHER_UPSTREAMS),
    matrixFleet(matrixText(`{repo: other, package: web, revision: 1}, {repo: catalog, package: dns, revision: 1}`), OPEN, OTHER_UPSTREAMS),
    ['from ber/web: none', 'from ber/dns: ber/dns', 'to ber/web: none', 'to ber/dns: ber/dns'],
  ],
  [
    'the target of a set is none of another set',
    matrixFleet(matrixText(webAt(1)), OPEN),
    matrixFleet(matrixText(webAt(1)).replace('name: web', 'name: other'), OPEN),
    ['from ber/web: none', 'to ber/web: none'],
  ],
])('%s', (_, before, after, expected) => {
  expect(othersOf(before, after)).toEqual(expected)
})

function onlyOrigin(files: Files): VariantOrigin {
  const [origin] = originsOf(files).values()
  if (origin === undefined) throw new Error('must have a variant')
  return origin
}

/** Returns a variant of which its set does not say why it asks for the variant. */
function withoutReason({ change: { why: _, ...change }, ...origin }: VariantOrigin): VariantOrigin {
  return { ...origin, change }
}

test('variants without a reason have no target in common', () => {
  const origin = withoutReason(onlyOrigin(matrixFleet(named("'a'"), OPEN)))
  const origins = new Map([['fleet/a', origin]])
  expect(new VariantsByTarget(origins, new Map([['fleet/a', { ...origin }]])).otherOf(origin)).toBeUndefined()
})

test('a set asks for a variant by the same entry of its targets, with the same repository and package', () => {
  const origin = onlyOrigin(matrixFleet(named("'a'"), OPEN))
  const isAsked = (later: Files) => new VariantsByTarget(new Map(), new Map()).isAsked({ ...origin, plan: onlyOrigin(later).plan })
  expect(isAsked(matrixFleet(named("'a'"), OPEN))).toBe(true)
  expect(isAsked(matrixFleet(named("'b'"), OPEN))).toBe(false)
  expect(isAsked(matrixFleet(named("'a'"), { muc: ['status: open'] }))).toBe(false)
  const second = named("'a'").replace('  targets:', '  targets:\n  - repositorySelector: {matchLabels: {status: shut}}')
  expect(isAsked(matrixFleet(second, OPEN))).toBe(false)
  expect(new VariantsByTarget(new Map(), new Map()).isAsked(withoutReason(origin))).toBe(false)
})

test('of labels only those that differ are changed, each with its line, one that is gone with that of the labels', () => {
  const ber = (...labels: readonly string[]) => {
    const files = { 'fleet/ber.yaml': labelledRepository('ber', ...labels) }
    const [found] = stateOfFiles(files).fleet.allOf(PORCH_CONFIG_GROUP, 'Repository')
    if (found === undefined) throw new Error('must be a Repository')
    return found
  }
  const states = [ber('a: one', 'b: one', 'c: one', 'd: one'), ber('b: one', 'a: two', 'd: two', 'e: two')] as const
  expect(changedLabels(new Set(['a', 'b', 'c', 'e', 'none']), states)).toEqual([
    { text: 'Repository ber: a: one → two', file: 'fleet/ber.yaml', line: 8 },
    { text: 'Repository ber: c: one → none', file: 'fleet/ber.yaml', line: 6 },
    { text: 'Repository ber: e: none → two', file: 'fleet/ber.yaml', line: 10 },
  ])
})
