import { expect, test } from 'vitest'
import { matrixFleet, matrixText, originOfPackage, webAt } from '../testing/matrix-states.ts'
import { causesOfNames } from './downstream-names.ts'
import type { ValueFate } from './expression-causes.ts'

/** A matrix, the labels of its one target `ber`, and the folder of the package that it makes. */
type State = readonly [matrix: string, folder: string, ...labels: string[]]

function originOf([matrix, folder, ...labels]: State) {
  const others = { one: ['status: shut'], two: ['status: shut'] }
  return originOfPackage(matrixFleet(matrix, { ber: ['status: open', ...labels], ...others }), folder)
}

/** Returns the causes of another downstream, each followed by its inputs, as TEXT FILE:LINE. */
function causesOf(from: State, to: State, fate: ValueFate = 'gained'): readonly string[] {
  const causes = causesOfNames(originOf(from), originOf(to), fate)
  return causes.flatMap((cause) =>
    [cause, ...(cause.inputs ?? [])].map((each, at) => `${at === 0 ? `${cause.kind} ` : ''}${each.text} ${each.file}:${each.line}`),
  )
}

/** Returns a matrix whose template names the package, in line 9, with overrides from line 11 on. */
const named = (name: string, ...lines: readonly string[]) =>
  matrixText(webAt(1), 'template:', `  downstream: {${name}}`, ...(lines.length === 0 ? [] : ['overrides:', ...lines]))

const override = (name: string, where: string, downstream: string, more = '') =>
  `- {name: ${name}, where: ${JSON.stringify(where)}, ${more}template: {downstream: {${downstream}}}}`

const IS_SOUTH = "target.labels.region == 'south'"
const FAR = override('far', IS_SOUTH, 'package: far')
const [NORTH, SOUTH] = ['region: north', 'region: south']
const BY_REGION = 'packageExpr: "target.labels.region"'
const PACKAGE = 'its package gets another name:'

test.each<[string, State, State, readonly string[]]>([
  ['an equal name has no cause', [named('package: a'), 'ber/a'], [named('package: a'), 'ber/a'], []],
  [
    'another name in the template',
    [named('package: a'), 'ber/a'],
    [named('package: b'), 'ber/b'],
    [`target ${PACKAGE} a → b fleet/set.yaml:9`],
  ],
  [
    'another default, which is the package of the upstream',
    [named('package: a'), 'ber/a'],
    [matrixText(webAt(1)), 'ber/web'],
    [`target ${PACKAGE} a → web fleet/set.yaml:5`],
  ],
  [
    'an input of an expression',
    [named(BY_REGION), 'ber/north', NORTH],
    [named(BY_REGION), 'ber/south', SOUTH],
    [`expression ${PACKAGE} expression target.labels.region fleet/set.yaml:9`, 'target.labels.region: north → south fleet/ber.yaml:8'],
  ],
  [
    'an override whose condition and name end with comments',
    [named('package: a', override('far', `${IS_SOUTH} // far`, 'packageExpr: "target.labels.region // region"')), 'ber/a', NORTH],
    [named('package: a', override('far', `${IS_SOUTH} // far`, 'packageExpr: "target.labels.region // region"')), 'ber/south', SOUTH],
    [
      `expression ${PACKAGE} expression target.labels.region // region fleet/set.yaml:11`,
      'target.labels.region: north → south fleet/ber.yaml:8',
    ],
  ],
  [
    'another expression',
    [named('packageExpr: "\'a\'"'), 'ber/a'],
    [named('packageExpr: "\'b\'"'), 'ber/b'],
    [`expression ${PACKAGE} expression 'a' → 'b' fleet/set.yaml:9`],
  ],
  [
    'an expression where a name was',
    [named('package: a'), 'ber/a'],
    [named('packageExpr: "\'b\'"'), 'ber/b'],
    [`expression ${PACKAGE} expression 'b' fleet/set.yaml:9`],
  ],
  [
    'a label that makes an override hold',
    [named('package: a', FAR), 'ber/a', NORTH],
    [named('package: a', FAR), 'ber/far', SOUTH],
    [`target ${PACKAGE} a → far fleet/set.yaml:11`, 'target.labels.region: north → south fleet/ber.yaml:8'],
  ],
  [
    'a label that makes an override hold no longer',
    [named('package: a', FAR), 'ber/far', SOUTH],
    [named('package: a', FAR), 'ber/a', NORTH],
    [`target ${PACKAGE} far → a fleet/set.yaml:9`, 'target.labels.region: south → north fleet/ber.yaml:8'],
  ],
  [
    'a new override, whose name has the line',
    [named('package: a'), 'ber/a', SOUTH],
    [named('package: a', FAR), 'ber/far', SOUTH],
    [`target ${PACKAGE} a → far fleet/set.yaml:11`],
  ],
  [
    'an override that is gone',
    [named('package: a', FAR), 'ber/far', SOUTH],
    [named('package: a'), 'ber/a', SOUTH],
    [`target ${PACKAGE} far → a fleet/set.yaml:9`, 'spec.overrides[0].template.downstream.package is gone fleet/set.yaml:11'],
  ],
  [
    'a condition that changes',
    [named('package: a', FAR), 'ber/a', NORTH],
    [named('package: a', override('far', "target.labels.region == 'north'", 'package: far')), 'ber/far', NORTH],
    [`target ${PACKAGE} a → far fleet/set.yaml:11`, 'spec.overrides[0].where changed fleet/set.yaml:11'],
  ],
  [
    'a condition that an override gets, which is the line of the override',
    [named('package: a', '- {name: far, template: {downstream: {package: far}}}'), 'ber/far', NORTH],
    [named('package: a', FAR), 'ber/a', NORTH],
    [`target ${PACKAGE} far → a fleet/set.yaml:9`, 'spec.overrides[0].where changed fleet/set.yaml:11'],
  ],
  [
    'an override that loses its condition',
    [named('package: a', FAR), 'ber/a', NORTH],
    [named('package: a', '- {name: far, template: {downstream: {package: far}}}'), 'ber/far', NORTH],
    [`target ${PACKAGE} a → far fleet/set.yaml:11`, 'spec.overrides[0] changed fleet/set.yaml:11'],
  ],
  [
    'an edit of an override that does not hold is no cause',
    [named('package: a', FAR), 'ber/a', NORTH],
    [named('package: b', override('far', IS_SOUTH, 'package: near')), 'ber/b', NORTH],
    [`target ${PACKAGE} a → b fleet/set.yaml:9`],
  ],
  [
    'an override of another package of the set does not count',
    [named('package: a', override('far', IS_SOUTH, 'package: far', 'packages: [dns], ')), 'ber/a', NORTH],
    [named('package: b', override('far', IS_SOUTH, 'package: far', 'packages: [dns], ')), 'ber/b', SOUTH],
    [`target ${PACKAGE} a → b fleet/set.yaml:9`],
  ],
  [
    'an override of this package counts',
    [named('package: a', override('far', IS_SOUTH, 'package: far', 'packages: [web], ')), 'ber/a', NORTH],
    [named('package: a', override('far', IS_SOUTH, 'package: far', 'packages: [web], ')), 'ber/far', SOUTH],
    [`target ${PACKAGE} a → far fleet/set.yaml:11`, 'target.labels.region: north → south fleet/ber.yaml:8'],
  ],
  [
    'an override that does not name the package does not count',
    [named('package: a', '- {name: far, where: "target.labels.region == \'south\'", template: {labels: {a: b}}}'), 'ber/a', NORTH],
    [named('package: b', '- {name: far, where: "target.labels.region == \'south\'", template: {labels: {a: b}}}'), 'ber/b', SOUTH],
    [`target ${PACKAGE} a → b fleet/set.yaml:9`],
  ],
])('the causes of another name of a package: %s', (_, from, to, expected) => {
  expect(causesOf(from, to)).toEqual(expected)
})

test('of two overrides that hold the later one gives the name', () => {
  const both = named('package: a', FAR, override('all', 'has(target.labels.all)', 'package: all'))
  expect(causesOf([both, 'ber/far', SOUTH], [both, 'ber/all', SOUTH, 'all: x'])).toEqual([
    `target ${PACKAGE} far → all fleet/set.yaml:12`,
    'target.labels.all: none → x fleet/ber.yaml:9',
  ])
  expect(causesOf([both, 'ber/all', NORTH, 'all: x'], [both, 'ber/far', SOUTH])).toEqual([
    `target ${PACKAGE} all → far fleet/set.yaml:11`,
    'target.labels.all: x → none fleet/ber.yaml:9',
    'target.labels.region: north → south fleet/ber.yaml:8',
  ])
})

test('another repository has causes of its own, before those of the package', () => {
  const [was, is] = [named('repo: one, package: a'), named('repo: two, package: b')]
  expect(causesOf([was, 'one/a'], [is, 'two/b'])).toEqual([
    'target its repository gets another name: one → two fleet/set.yaml:9',
    `target ${PACKAGE} a → b fleet/set.yaml:9`,
  ])
  expect(causesOf([named('package: a'), 'ber/a'], [was, 'one/a'])).toEqual([
    'target its repository gets another name: ber → one fleet/set.yaml:9',
  ])
  expect(causesOf([was, 'one/a'], [named('package: a'), 'ber/a'])).toEqual([
    'target its repository gets another name: one → ber fleet/ber.yaml:4',
  ])
})

test('of a name that only one state has, a label that is enough counts beside one that is needed, by the state that has the name', () => {
  const twice = named('packageExpr: "target.labels.a + target.labels.b"')
  const [from, to]: readonly [State, State] = [
    [twice, 'ber/xx', 'a: x', 'b: x'],
    [twice, 'ber/yy', 'a: y', 'b: y'],
  ]
  for (const fate of ['gained', 'lost'] as const)
    expect(causesOf(from, to, fate)).toEqual([
      `expression ${PACKAGE} expression target.labels.a + target.labels.b fleet/set.yaml:9`,
      'target.labels.a: x → y fleet/ber.yaml:8',
      'target.labels.b: x → y fleet/ber.yaml:9',
    ])
})

test('a layer of the template above another one names the package', () => {
  const upstream = (name: string) => `{repo: catalog, package: web, revision: 1, template: {downstream: {package: ${name}}}}`
  const layered = (name: string) => matrixText(upstream(name), 'template:', '  downstream: {package: below}')
  expect(causesOf([layered('a'), 'ber/a'], [layered('b'), 'ber/b'])).toEqual([`target ${PACKAGE} a → b fleet/set.yaml:5`])
})
