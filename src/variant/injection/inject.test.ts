import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import { linesOf, writtenPackage } from '../testing/written-package.ts'
import { checkInjection, injectConfiguration, injectionChangeOf } from './inject.ts'
import { readSources } from './injection-source.ts'

const HEAD = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'

/** Returns a point: a ConfigMap, or an object of example.org/v1. */
function point(kind: string, name: string, { mode = 'required', annotations = '', rest = 'spec: {a: 0}' } = {}): string {
  const apiVersion = kind === 'ConfigMap' ? 'v1' : 'example.org/v1'
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations:\n    kpt.dev/config-injection: ${mode}\n${annotations}${rest}\n`
}

function source(kind: string, name: string, rest = 'spec: {a: 1}'): string {
  return `apiVersion: ${kind === 'ConfigMap' ? 'v1' : 'example.org/v1'}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${rest}\n`
}

interface Run {
  readonly kptfile?: string
  readonly points?: readonly string[]
  readonly sources?: readonly string[]
  readonly injectors?: readonly Injector[]
  readonly strict?: boolean
}

/** Returns the Kptfile below its head, the texts of the points p0.yaml, p1.yaml…, and the results after a run. */
function ran(
  run: typeof injectConfiguration,
  { kptfile = '', points = [], sources = [], injectors = [{ name: 'site' }], strict = false }: Run,
) {
  const files = points.map((text, index) => [`p${index}.yaml`, text] as const)
  const { list, pkg } = writtenPackage({ Kptfile: `${HEAD}${kptfile}`, ...Object.fromEntries(files) })
  const objects = sources.map((text, index) => writtenObject(text, `sources/s${index}.yaml`))
  const lines = linesOf(() => run(pkg, { injectors, namespace: 'default', strict }, readSources(objects)))
  const [written = '', ...texts] = list.items.map((object) => object.toText())
  return { kptfile: written.replace(HEAD, ''), texts, lines }
}

const injected = (given: Run) => ran(injectConfiguration, given)
const checked = (given: Run) => ran(checkInjection, given)

const MET = '    message: injected resource "site" from cluster\n    reason: ConfigInjected\n'
const condition = (type: string) => `  - type: config.injection.${type}\n    status: "True"\n${MET}`

test('the spec of the source is copied into a point, data into a ConfigMap, and the point names the source', () => {
  const { texts, lines } = injected({
    points: [point('Site', 'a'), point('ConfigMap', 'b', { rest: 'data: {x: y}\nspec: kept' })],
    sources: [source('Site', 'site', 'spec: {a: 1}\nstatus: {b: 2}'), source('ConfigMap', 'site', 'data: {x: z}\nspec: other')],
  })
  expect(texts[0]).toBe(`${point('Site', 'a', { annotations: '    kpt.dev/injected-resource: site\n', rest: 'spec: {a: 1}' })}`)
  expect(texts[1]).toContain('data: {x: z}\nspec: kept')
  expect(lines).toEqual(['Kptfile: info: 2 of 2 injection points are met [inject-config]'])
})

test('each point has a condition, sorted by type, and each required point a readiness gate', () => {
  const points = [point('Site', 'b'), point('Site', 'c', { mode: 'optional' }), point('Area', 'a')]
  expect(injected({ points, sources: [source('Site', 'site'), source('Area', 'site')] }).kptfile).toBe(
    `info:\n  readinessGates:\n  - conditionType: config.injection.Area.a\n  - conditionType: config.injection.Site.b\n` +
      `status:\n  conditions:\n${condition('Area.a')}${condition('Site.b')}${condition('Site.c')}`,
  )
})

test('entries that are there keep their places and other fields, new entries follow, and of two conditions the first is updated', () => {
  const before =
    'info:\n  readinessGates:\n  - conditionType: config.injection.Site.b\n  - conditionType: ours\n' +
    'status:\n  conditions:\n  - type: ours\n  - type: config.injection.Site.b\n    status: "False"\n    since: yesterday\n  - type: config.injection.Site.b\n'
  const { kptfile } = injected({ kptfile: before, points: [point('Site', 'a'), point('Site', 'b')], sources: [source('Site', 'site')] })
  expect(kptfile).toBe(
    'info:\n  readinessGates:\n  - conditionType: config.injection.Site.b\n  - conditionType: ours\n  - conditionType: config.injection.Site.a\n' +
      `status:\n  conditions:\n  - type: ours\n  - type: config.injection.Site.b\n    status: "True"\n    since: yesterday\n${MET}` +
      `  - type: config.injection.Site.b\n${condition('Site.a')}`,
  )
})

test('a second run changes nothing', () => {
  const sources = [source('Site', 'site')]
  const { kptfile, texts, lines } = injected({ points: [point('Site', 'a')], sources })
  expect(injected({ kptfile, points: texts, sources })).toEqual({ kptfile, texts, lines })
})

test('a point that is not met keeps its content, and its condition has the reason', () => {
  const points = [point('Site', 'a'), point('Area', 'b')]
  const { kptfile, texts, lines } = injected({ points, sources: [source('Area', 'site')] })
  expect(texts[0]).toBe(points[0])
  expect(kptfile).toContain(
    '  - type: config.injection.Site.a\n    status: "False"\n    message: no matches for kind "Site" in version "example.org/v1"\n    reason: NoResourceSelected\n',
  )
  expect(lines).toEqual([
    expect.stringMatching(/^p0\.yaml:6:31: warning: .* is not met: no matches for kind "Site".*\[injection-unmet\]$/),
    'Kptfile: info: 1 of 2 injection points are met [inject-config]',
  ])
})

test('an error about a strict point leaves out the number of points that are met', () => {
  const { lines } = injected({ points: [point('Site', 'a')], strict: true })
  expect(lines).toEqual([expect.stringMatching(/^p0\.yaml:6:31: error: .*\[injection-unmet\]$/)])
})

test('a package without points has no conditions, and the info says so', () => {
  expect(injected({ sources: [source('Site', 'site')] })).toEqual({
    kptfile: '',
    texts: [],
    lines: ['Kptfile: info: the package has no injection points [inject-config]'],
  })
})

const POINT_NAME = (mode: string) =>
  `error: \`metadata.name\` is that of an injection point that must be met by one resource, but ${mode} [injection-source-ambiguous]`

test('two sources of the selected name are refused with their places, and the package is unchanged', () => {
  const points = [point('Site', 'a'), point('Area', 'b')]
  const sources = [source('Site', 'site'), source('Site', 'site'), source('Area', 'site'), source('Area', 'x'), source('Area', 'x')]
  for (const run of [injected, checked])
    expect(run({ points, sources })).toEqual({
      kptfile: '',
      texts: points,
      lines: [`p0.yaml:4:9: ${POINT_NAME("Site 'site' is at sources/s0.yaml:1 and sources/s1.yaml:1")}`],
    })
})

test('a duplicate key in a source of the kind of two points is refused once', () => {
  const points = [point('Site', 'a'), point('Site', 'b')]
  const { texts, lines } = injected({
    points,
    sources: [source('Site', 'site', 'spec: {a: 1, a: 2}'), source('Area', 'site', 'spec: {a: 1, a: 2}')],
  })
  expect(lines).toEqual([expect.stringMatching(/^sources\/s0\.yaml:5:.*`spec\.a` must occur once.*\[duplicate-key\]$/)])
  expect(texts).toEqual(points)
})

test('a Kptfile of another kind is refused, and so are gates and conditions that are no lists of maps', () => {
  const { pkg } = writtenPackage({ Kptfile: HEAD.replace('kind: Kptfile', 'kind: Other') })
  const change = { injectors: [], namespace: 'default', strict: false }
  expect(linesOf(() => injectConfiguration(pkg, change, readSources([])))).toEqual([
    "Kptfile:2:7: error: `kind` must be 'Kptfile' in the Kptfile, which is to hold the conditions, got 'Other' [kptfile]",
  ])
  const points = [point('Site', 'a')]
  const { texts, lines } = injected({
    kptfile: 'info: {readinessGates: x}\nstatus: {conditions: y}\n',
    points,
    sources: [source('Site', 'site')],
  })
  expect(lines).toEqual([
    "Kptfile:5:24: error: `info.readinessGates` must be a list in a Kptfile, got 'x' [kptfile]",
    "Kptfile:6:22: error: `status.conditions` must be a list in a Kptfile, got 'y' [kptfile]",
  ])
  expect(texts).toEqual(points)
})

test('an injection into the package context is a warning, if its point is met', () => {
  const points = [point('ConfigMap', 'kptfile.kpt.dev', { rest: 'data: {}' })]
  expect(injected({ points, sources: [source('ConfigMap', 'site', 'data: {a: b}')] }).lines).toEqual([
    expect.stringMatching(
      /^p0\.yaml:6:31: warning: `metadata\.annotations.*config-injection.*` must not be on the package context: what set-context wrote there is replaced as a whole \[injection-context\]$/,
    ),
    'Kptfile: info: 1 of 1 injection points are met [inject-config]',
  ])
  expect(injected({ points }).lines).toEqual([expect.stringContaining('[injection-unmet]'), expect.stringContaining('0 of 1')])
})

test('an entry of the Kptfile that belongs to no point is an info, whether the entry is a condition or a gate', () => {
  const kptfile =
    'info:\n  readinessGates:\n  - conditionType: config.injection.Site.a\n  - conditionType: ours\n  - conditionType: config.injection.Site.b\n' +
    'status:\n  conditions:\n  - type: config.injection.Site.a\n  - type: config.injection.Site.b\n  - type: ours\n  - {}\n'
  const stays = 'was set by a person or an earlier run, and stays until a person removes it [injection-leftover]'
  const leftoversWith = (line: number) => [
    `Kptfile:${line}:11: info: \`status.conditions[1].type\` belongs to no injection point of the package: 'config.injection.Site.b' ${stays}`,
    `Kptfile:7:20: info: \`info.readinessGates[0].conditionType\` belongs to no required injection point of the package: 'config.injection.Site.a' ${stays}`,
    `Kptfile:9:20: info: \`info.readinessGates[2].conditionType\` belongs to no required injection point of the package: 'config.injection.Site.b' ${stays}`,
    'Kptfile: info: 1 of 1 injection points are met [inject-config]',
  ]
  const given = { kptfile, points: [point('Site', 'a', { mode: 'optional' })], sources: [source('Site', 'site')] }
  // The condition of the point gets three lines above that of the entry.
  expect(injected(given).lines).toEqual(leftoversWith(16))
  expect(checked(given).lines.slice(1)).toEqual(leftoversWith(13))
})

const NAMED = '    kpt.dev/injected-resource: site\n'
const stale = (rest: string) => `p0.yaml:8:1: warning: \`spec\` is stale: it ${rest} [injection-stale]`

test.each([
  {
    rule: 'a point that was injected from another source',
    annotations: '    kpt.dev/injected-resource: old\n',
    spec: '{a: 1}',
    lines: [stale("was injected from 'old', would now be from 'site' (sources/s0.yaml:1)")],
  },
  {
    rule: 'a point whose source has changed',
    annotations: NAMED,
    spec: '{a: 0}',
    lines: [stale("was injected from 'site', which has changed since (sources/s0.yaml:1); differs in `spec.a`")],
  },
  {
    rule: 'a point that was not injected yet',
    annotations: '    x: y\n',
    spec: '{a: 1}',
    lines: [stale("was not injected yet, would now be from 'site' (sources/s0.yaml:1)")],
  },
  { rule: 'a point that is up to date', annotations: NAMED, spec: '{a: 1}', lines: [] },
])('a check reports $rule, and changes nothing', ({ annotations, spec, lines }) => {
  const points = [point('Site', 'a', { annotations, rest: `spec: ${spec}` })]
  const found = checked({ points, sources: [source('Site', 'site')] })
  expect(found).toEqual({ kptfile: '', texts: points, lines: [...lines, 'Kptfile: info: 1 of 1 injection points are met [inject-config]'] })
})

test('a check has no word of a change for a point that is not met', () => {
  const points = [point('Site', 'a')]
  expect(checked({ points }).lines).toEqual([expect.stringContaining('[injection-unmet]'), expect.stringContaining('0 of 1')])
})

test('a stale point names the field and not its content', () => {
  const { pkg } = writtenPackage({ Kptfile: HEAD, 'p.yaml': point('Site', 'a', { annotations: NAMED }) })
  const change = { injectors: [{ name: 'site' }], namespace: 'default', strict: false }
  const [result] = checkInjection(pkg, change, readSources([writtenObject(source('Site', 'site'))]))
  expect(result?.field).toEqual({ path: ['spec'] })
})

test.each([
  {
    rule: 'the deepest fields that differ',
    was: '{a: {b: 1, c: 2}, d: 3}',
    now: '{a: {b: 1, c: 3}, e: 3}',
    fields: ['spec.a.c', 'spec.d', 'spec.e'],
  },
  { rule: 'entries of lists of one length', was: '{a: [1, 2, {b: 3}]}', now: '{a: [1, 3, {b: 4}]}', fields: ['spec.a[1]', 'spec.a[2].b'] },
  { rule: 'a list of another length as a whole', was: '{a: [1, 2]}', now: '{a: [1, 3, 4]}', fields: ['spec.a'] },
  { rule: 'a value of another type as a whole', was: '{a: [1]}', now: '{a: {b: 1}}', fields: ['spec.a'] },
])('a stale point names $rule', ({ was, now, fields }) => {
  const { lines } = checked({
    points: [point('Site', 'a', { annotations: NAMED, rest: `spec: ${was}` })],
    sources: [source('Site', 'site', `spec: ${now}`)],
  })
  expect(lines[0]).toContain(`; differs in ${fields.map((field) => `\`${field}\``).join(', ')} [injection-stale]`)
})

test.each([
  { count: 10, more: '`spec.k9` [injection-stale]' },
  { count: 11, more: '`spec.k9` and 1 more [injection-stale]' },
])('a stale point names ten of $count fields', ({ count, more }) => {
  const spec = Array.from({ length: count }, (_, index) => `k${index}: 1`).join(', ')
  const { lines } = checked({
    points: [point('Site', 'a', { annotations: NAMED, rest: 'spec: {}' })],
    sources: [source('Site', 'site', `spec: {${spec}}`)],
  })
  expect(lines[0]).toContain(more)
})

test('the injection of a variant is that of its namespace, default without one, and not strict', () => {
  const injectors = [{ name: 'site' }]
  expect(injectionChangeOf({ injectors, namespace: 'team' })).toEqual({ injectors, namespace: 'team', strict: false })
  for (const variant of [{ injectors }, { injectors, namespace: '' }])
    expect(injectionChangeOf(variant)).toEqual({ injectors, namespace: 'default', strict: false })
})
