import { expect, test } from 'vitest'
import type { CauseInput } from '../report.ts'
import { matrixFleet, matrixText, originOfPackage, webAt } from '../testing/matrix-states.ts'
import { type Files, KPTFILE_TEXT } from '../testing/states-of-files.ts'
import { causesOfLayers, causesOfRing, withCauseInputs } from './condition-causes.ts'

/** A state of the matrix and of the labels of its one target, `ber`. */
type State = readonly [matrix: string, ...labels: string[]]

/** Upstream packages beside `catalog/web`. */
const OTHER_UPSTREAMS: Files = {
  ...{ 'other/web@7/Kptfile': KPTFILE_TEXT, 'other/web@2/Kptfile': KPTFILE_TEXT },
  ...{ 'catalog/dns@7/Kptfile': KPTFILE_TEXT, 'catalog/dns@2/Kptfile': KPTFILE_TEXT },
}

const originOf = ([matrix, ...labels]: State) =>
  originOfPackage(
    matrixFleet(matrix, { ber: ['status: open', ...labels], muc: ['status: open', 'tier: none', 'region: none'] }, OTHER_UPSTREAMS),
    'ber/web',
  )

const shown = (causes: readonly CauseInput[]) => causes.map(({ text, file, line }) => `${text} ${file}:${line}`)

const ringCauses = (from: State, to: State) => shown(causesOfRing([originOf(from), originOf(to)]))

/** Returns a matrix of two rings, each with its own revision or none. */
const rings = (canary: number | undefined, world: number | undefined, { revision = 1, tier = 'test', upstreams = webAt(revision) } = {}) =>
  matrixText(
    upstreams,
    'rings:',
    '- name: canary',
    `  where: target.labels.tier == '${tier}'`,
    `  revisions: {${canary === undefined ? '' : `web: ${canary}`}}`,
    '- name: world',
    `  revisions: {${world === undefined ? '' : `web: ${world}`}}`,
  )

const [TEST, PROD] = ['tier: test', 'tier: prod']
const TO_TEST = 'target.labels.tier: prod → test fleet/ber.yaml:8'
const WHERE = "spec.rings[canary].where: target.labels.tier == 'test' → target.labels.tier == 'prod' fleet/set.yaml:10"

test.each<[string, State, State, readonly string[]]>([
  ['a target whose label changes', [rings(2, undefined), PROD], [rings(2, undefined), TEST], [TO_TEST]],
  [
    'a target that goes back to the last ring',
    [rings(2, undefined), TEST],
    [rings(2, undefined), PROD],
    ['target.labels.tier: test → prod fleet/ber.yaml:8'],
  ],
  [
    'a target of which a condition with a comment changes',
    [rings(2, 1, { tier: "test' // '" }), PROD],
    [rings(2, 1, { tier: "prod' // '" }), PROD],
    ["spec.rings[canary].where: target.labels.tier == 'test' // '' → target.labels.tier == 'prod' // '' fleet/set.yaml:10"],
  ],
  ['a target of which a condition changes', [rings(2, 1), PROD], [rings(2, 1, { tier: 'prod' }), PROD], [WHERE]],
  ['a condition that changes beside a revision of its ring', [rings(3, 1), PROD], [rings(2, 1, { tier: 'prod' }), PROD], [WHERE]],
  ['a target that stays in its ring', [rings(2, 1), PROD], [rings(2, 3), PROD], []],
  ['rings that have the same revision', [rings(2, 2), PROD], [rings(2, 2), TEST], []],
  ['a ring that came to the revision which the target had', [rings(3, 2), PROD], [rings(2, 2), TEST], []],
  [
    'a new revision in the ring that the target left, and the move',
    [rings(2, 1), PROD],
    [rings(2, 3), TEST],
    [TO_TEST, 'web in ring world: 1 → 3 fleet/set.yaml:13'],
  ],
  [
    'a new revision of the upstream itself, which the ring that the target left had',
    [rings(2, undefined), PROD],
    [rings(2, undefined, { revision: 3 }), TEST],
    [TO_TEST, 'web in ring world: 1 → 3 fleet/set.yaml:5'],
  ],
  [
    'a revision that both rings got, so that the move changes nothing',
    [rings(1, 1), PROD],
    [rings(2, 2), TEST],
    ['web in ring world: 1 → 2 fleet/set.yaml:13'],
  ],
  ['a revision that only the ring of the move got', [rings(1, 1), PROD], [rings(2, 1), TEST], [TO_TEST]],
  [
    'a revision that the ring before got, as the ring of the move had it',
    [rings(2, 1), PROD],
    [rings(2, 2), TEST],
    [TO_TEST, 'web in ring world: 1 → 2 fleet/set.yaml:13'],
  ],
  [
    'the upstream of the same package in another repository',
    [
      rings(2, undefined, { upstreams: `{repo: other, package: web, revision: 7, template: {downstream: {package: far}}}, ${webAt(1)}` }),
      PROD,
    ],
    [
      rings(2, undefined, { upstreams: `{repo: other, package: web, revision: 7, template: {downstream: {package: far}}}, ${webAt(3)}` }),
      TEST,
    ],
    [TO_TEST, 'web in ring world: 1 → 3 fleet/set.yaml:5'],
  ],
  [
    'the upstream of another package in the same repository',
    [rings(2, undefined, { upstreams: `{repo: catalog, package: dns, revision: 7}, ${webAt(1)}` }), PROD],
    [rings(2, undefined, { upstreams: `{repo: catalog, package: dns, revision: 7}, ${webAt(1)}` }), TEST],
    [TO_TEST],
  ],
])('what moves a target to a ring with another revision: %s', (_, from, to, expected) => {
  expect(ringCauses(from, to)).toEqual(expected)
})

/** Returns a matrix with three rings in an order; the last takes all others. */
const ordered = (...names: readonly string[]) =>
  matrixText(
    webAt(1),
    'rings:',
    ...names.map((name) => `- {name: ${name}, where: has(target.labels.${name}), revisions: {web: ${name === 'early' ? 2 : 3}}}`),
    '- {name: world}',
  )

test('of rings that both hold the first one counts, so that another order moves a target', () => {
  const labels = ['early: a', 'late: b']
  expect(ringCauses([ordered('early', 'late'), ...labels], [ordered('late', 'early'), ...labels])).toEqual([
    'spec.rings: ["early","late","world"] → ["late","early","world"] fleet/set.yaml:8',
  ])
})

test('a label that an earlier ring reads moves a target out of a later one', () => {
  expect(ringCauses([ordered('early', 'late'), 'late: b'], [ordered('early', 'late'), 'early: a', 'late: b'])).toEqual([
    'target.labels.early: none → a fleet/ber.yaml:8',
  ])
})

test('a ring that is gone has its line in the earlier state, a new one in the later, where its place among the others counts too', () => {
  const gone = '{"name":"late","where":"has(target.labels.late)","revisions":{"web":3}}'
  expect(ringCauses([ordered('early', 'late'), 'late: b'], [ordered('early'), 'late: b'])).toEqual([
    `spec.rings[late]: ${gone} → none fleet/set.yaml:10`,
  ])
  expect(ringCauses([ordered('early'), 'late: b'], [ordered('early', 'late'), 'late: b'])).toEqual([
    `spec.rings[late]: none → ${gone} fleet/set.yaml:10`,
    'spec.rings: ["early","world"] → ["early","late","world"] fleet/set.yaml:8',
  ])
})

/** Returns a matrix whose template gives the label `kind`, with overrides; the first of them is in line 11. */
const overrides = (...lines: readonly string[]) =>
  matrixText(webAt(1), 'template: {labels: {kind: plain}}', 'maxVariants: 9', ...(lines.length === 0 ? [] : ['overrides:', ...lines]))

const FAR = ['- name: far', "  where: target.labels.region == 'south'", '  template: {labels: {kind: far}}']
const NEAR = ['- name: near', "  where: target.labels.region == 'north'", '  template: {labels: {kind: near}}']
const OTHER = ['- name: far', "  where: target.labels.region == 'south'", '  template: {labels: {other: far}}']
const [NORTH, SOUTH] = ['region: north', 'region: south']

/** Returns what gave the label `kind` the value of another layer. */
function layerCauses(from: State, to: State): readonly string[] {
  const origins = [originOf(from), originOf(to)] as const
  const [old, source] = origins.map((origin) => {
    const labels = origin.change.why?.spec.labels
    const kind = typeof labels === 'object' && labels !== null && 'kind' in labels ? labels.kind : ''
    return origin.sourceOf(['spec', 'labels', 'kind'], kind)
  })
  return shown(causesOfLayers(origins, [old, source]))
}

test.each<[string, State, State, readonly string[]]>([
  ['nothing', [overrides(...FAR), NORTH], [overrides(...FAR), NORTH], []],
  [
    'a label that the condition of an override reads',
    [overrides(...FAR), NORTH],
    [overrides(...FAR), SOUTH],
    ['target.labels.region: north → south fleet/ber.yaml:8'],
  ],
  [
    'a label by which an override holds no longer',
    [overrides(...FAR), SOUTH],
    [overrides(...FAR), NORTH],
    ['target.labels.region: south → north fleet/ber.yaml:8'],
  ],
  [
    'a condition that changes',
    [overrides(...FAR), SOUTH],
    [overrides(...FAR.map((line) => line.replace('south', 'west'))), SOUTH],
    ["spec.overrides[far].where: target.labels.region == 'south' → target.labels.region == 'west' fleet/set.yaml:12"],
  ],
  [
    'a new override',
    [overrides(), SOUTH],
    [overrides(...FAR), SOUTH],
    [`spec.overrides[far]: none → {"name":"far","where":"target.labels.region == 'south'","template":{"labels":{"k… fleet/set.yaml:11`],
  ],
  [
    'an override that is gone',
    [overrides(...FAR), SOUTH],
    [overrides(), SOUTH],
    ['spec.overrides[0].template.labels.kind of override far is gone fleet/set.yaml:13'],
  ],
  [
    'an override that is gone while its label changes, since each is enough',
    [overrides(...FAR), SOUTH],
    [overrides(), NORTH],
    [
      'target.labels.region: south → north fleet/ber.yaml:8',
      'spec.overrides[0].template.labels.kind of override far is gone fleet/set.yaml:13',
    ],
  ],
  [
    'an override that gives the field no longer',
    [overrides(...FAR), SOUTH],
    [overrides(...OTHER), SOUTH],
    ['spec.overrides[0].template.labels.kind of override far is gone fleet/set.yaml:13'],
  ],
  [
    'an override that gives the field at another place no longer',
    [overrides(...FAR), SOUTH],
    [overrides('- {name: new, where: "false", template: {labels: {kind: new}}}', ...OTHER), SOUTH],
    ['spec.overrides[0].template.labels.kind of override far is gone fleet/set.yaml:13'],
  ],
  [
    'an override that neither gives the field nor holds any more',
    [overrides(...FAR), SOUTH],
    [overrides(...OTHER), NORTH],
    ['target.labels.region: south → north fleet/ber.yaml:8'],
  ],
  [
    'one override for another one, by the label that both read',
    [overrides(...FAR, ...NEAR), SOUTH],
    [overrides(...FAR, ...NEAR), NORTH],
    ['target.labels.region: south → north fleet/ber.yaml:8', 'target.labels.region: south → north fleet/ber.yaml:8'],
  ],
])('what gives a field the value of another layer of the template: %s', (_, from, to, expected) => {
  expect(layerCauses(from, to)).toEqual(expected)
})

test('a cause gets further inputs behind its own, and stays as it is without any', () => {
  const cause = { kind: 'set', text: 'a', inputs: [{ text: 'b' }] } as const
  expect(withCauseInputs(cause, [])).toBe(cause)
  expect(withCauseInputs(cause, [{ text: 'c' }])).toEqual({ ...cause, inputs: [{ text: 'b' }, { text: 'c' }] })
  expect(withCauseInputs({ kind: 'set', text: 'a' }, [{ text: 'c' }])).toEqual({ kind: 'set', text: 'a', inputs: [{ text: 'c' }] })
})

test('the ring of a target is found among more rings than CEL nests parentheses', () => {
  const names = Array.from({ length: 300 }, (_, i) => `r${i}`)
  const ring = (name: string) => [
    `- name: ${name}`,
    `  where: target.labels.tier == '${name}'`,
    `  revisions: {web: ${name === 'r290' ? 2 : 1}}`,
  ]
  const matrix = matrixText(webAt(1), 'rings:', ...names.flatMap(ring), '- name: world', '  revisions: {web: 3}')
  expect(ringCauses([matrix, 'tier: r2'], [matrix, 'tier: r290'])).toEqual(['target.labels.tier: r2 → r290 fleet/ber.yaml:8'])
  expect(ringCauses([matrix, 'tier: r290'], [matrix, 'tier: none'])).toEqual(['target.labels.tier: r290 → none fleet/ber.yaml:8'])
})
