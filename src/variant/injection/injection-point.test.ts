import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { rootPackage } from '../list-packages.ts'
import { linesOf, writtenPackage } from '../testing/written-package.ts'
import { findInjectionPoints, injectedField, injectedName, onceForKind } from './injection-point.ts'

const KPTFILE =
  'apiVersion: kpt.dev/v1\n  kind: Kptfile\n  metadata:\n    name: a\n    annotations:\n      internal.config.kubernetes.io/path:'

/** A ConfigMap whose annotations stand behind a merge key, and speak of injection. */
function merging(path: string): string {
  const annotations = `<<: *common\n      kpt.dev/config-injection: required\n      internal.config.kubernetes.io/path: ${path}\n`
  return `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\n    labels: &common\n      x: y\n    annotations:\n      ${annotations}`
}

function points(path: string): number {
  const kptfiles = `- ${KPTFILE} Kptfile\n- ${KPTFILE} sub/Kptfile\n`
  const list = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${kptfiles}${merging(path)}`)
  return findInjectionPoints(rootPackage(list)).length
}

test.each([
  { reason: 'a subpackage', path: 'sub/b.yaml' },
  { reason: 'a source folder', path: 'sources/b.yaml' },
])('a merge key in $reason is not looked into', ({ path }) => {
  expect(points(path)).toBe(0)
})

const HEAD = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'

function written(kind: string, name: string, annotations: string, apiVersion = 'v1'): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\n`
}

function pointsOf(...texts: readonly string[]) {
  return findInjectionPoints(writtenPackage({ Kptfile: HEAD, ...Object.fromEntries(texts.map((text, at) => [`p${at}.yaml`, text])) }).pkg)
}

const linesOfPoints = (...texts: readonly string[]) =>
  linesOf(() => {
    pointsOf(...texts)
    return []
  })

test('each annotated resource is a point, in the order of the items, with its condition and its field', () => {
  const found = pointsOf(
    written('Site', 'b', 'kpt.dev/config-injection: required', 'x.org/v1'),
    written('ConfigMap', 'other', 'config-injection: required'),
    written('Site', 'c', 'x: kpt.dev/config-injection'),
    written('ConfigMap', 'a', 'kpt.dev/config-injection: optional'),
    'kind: Bare\nmetadata: {annotations: {kpt.dev/config-injection: optional}}\n',
    '- kpt.dev/config-injection\n',
  )
  expect(found.map(({ object: _, ...point }) => point)).toEqual([
    { apiVersion: 'x.org/v1', kind: 'Site', required: true, conditionType: 'config.injection.Site.b', field: 'spec' },
    { apiVersion: 'v1', kind: 'ConfigMap', required: false, conditionType: 'config.injection.ConfigMap.a', field: 'data' },
    { apiVersion: '', kind: 'Bare', required: false, conditionType: 'config.injection.Bare.', field: 'spec' },
  ])
})

test.each([
  ['require', "got 'require'; did you mean 'required'?"],
  ['"yes"', "got 'yes'"],
  ['""', "got ''"],
  ['Required', "got 'Required'; did you mean 'required'?"],
])('the annotation with the value %s is refused', (mode, got) => {
  expect(linesOfPoints(written('Site', 'b', `kpt.dev/config-injection: ${mode}`))).toEqual([
    expect.stringMatching(
      /^p0\.yaml:5:43: error: `metadata\.annotations.*kpt\.dev\/config-injection.*` must be one of 'required', 'optional', /,
    ),
  ])
  expect(linesOfPoints(written('Site', 'b', `kpt.dev/config-injection: ${mode}`))[0]).toContain(`${got} [injection-annotation]`)
})

test('each later point with the kind and name of an earlier one is refused, also of another group or namespace', () => {
  const required = 'kpt.dev/config-injection: required'
  const message =
    "error: `metadata.name` must differ from that of the Site at p0.yaml:4: both injection points have the condition 'config.injection.Site.a' [injection-ambiguous]"
  expect(
    linesOfPoints(
      written('Site', 'a', required),
      written('Site', 'b', required),
      written('Area', 'a', required),
      written('Site', 'a', required, 'x.org/v1'),
      written('Site', 'a', required).replace('name: a', 'name: a\n  namespace: n'),
    ),
  ).toEqual([`p3.yaml:4:9: ${message}`, `p4.yaml:4:9: ${message}`])
})

test.each([
  ['v1', 'ConfigMap', 'data'],
  ['x.org/v1', 'ConfigMap', 'spec'],
  ['v1', 'Secret', 'spec'],
])('an injection into %s %s replaces %s', (apiVersion, kind, field) => {
  expect(injectedField({ apiVersion, kind })).toBe(field)
})

test.each([
  ['kpt.dev/injected-resource: a, kpt.dev/injected-resource-name: b', 'a'],
  ['kpt.dev/injected-resource-name: b', 'b'],
  ['x: c', undefined],
])('the name of the injected resource in {%s} is %s', (annotations, name) => {
  const [point] = pointsOf(written('Site', 'a', `kpt.dev/config-injection: required, ${annotations}`))
  expect(point && injectedName(point)).toBe(name)
})

test('an answer is computed once for the points of a group, version and kind, and once for each point that an injector names', () => {
  const asked: string[] = []
  const answer = onceForKind(
    ({ object, apiVersion }) => asked.push(`${apiVersion} ${object.kind} ${object.name}`),
    [{ name: 'x', point: 'own' }],
  )
  const [point] = pointsOf(written('Site', 'a', 'kpt.dev/config-injection: required'))
  if (point === undefined) throw new Error('no point')
  const ask = (kind: string, name: string, apiVersion = 'v1') =>
    answer({ ...point, kind, apiVersion, object: writtenObject(written(kind, name, '', apiVersion)) })
  expect([ask('Site', 'a'), ask('Site', 'b'), ask('Site', 'own'), ask('Area', 'a'), ask('Site', 'c', 'v2'), ask('Site', 'own')]).toEqual([
    1, 1, 2, 3, 4, 2,
  ])
  expect(asked).toEqual(['v1 Site a', 'v1 Site own', 'v1 Area a', 'v2 Site c'])
})

test('a point of the package may stand beside a merge key', () => {
  expect(points('b.yaml')).toBe(1)
})
