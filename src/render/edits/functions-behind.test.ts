import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { behindResult } from './functions-behind.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

const PIPELINE = `  - {image: '${CATALOG}/set-namespace:v0.4.1', configPath: package-context.yaml}
  - {image: '${CATALOG}/apply-setters:v0.2.0', configPath: setters.yaml}
  - image: ${CATALOG}/set-labels:v0.2.0
    configMap: {tier: front}
`

function revision(pipeline = PIPELINE): TestFiles {
  return {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\npipeline:\n  mutators:\n${pipeline}`,
    'setters.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: setters\n  annotations: {config.kubernetes.io/local-config: "true"}\ndata: {size: m}\n`,
    'till.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: till\n  namespace: x\ndata:\n  size: s # kpt-set: \${size}\n  open: "8"\n`,
  }
}

/** The changes of people in a rendered package, each with a line that its functions write then. */
const EDITS: readonly (readonly [string, (fleet: OneVariantFleet) => void, string, string])[] = [
  ['a setter in a file', (fleet) => fleet.editPackage('setters.yaml', 'size: m', 'size: xl'), 'till.yaml', 'size: xl'],
  [
    'a value in the Kptfile',
    (fleet) => fleet.editPackage('Kptfile', 'configMap: {tier: front}', 'configMap: {tier: back}'),
    'till.yaml',
    'tier: back',
  ],
  [
    'the package context',
    (fleet) => fleet.editPackage('package-context.yaml', 'name: shop', 'name: other'),
    'till.yaml',
    'namespace: other',
  ],
  [
    'a new resource',
    (fleet) => fleet.write('out/edge/shop/new.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: new}\n'),
    'new.yaml',
    'namespace: shop',
  ],
  [
    'a new function',
    (fleet) =>
      fleet.editPackage(
        'Kptfile',
        '  mutators:\n',
        `  mutators:\n  - {image: '${CATALOG}/set-annotations:v0.1.4', configMap: {by: hand}}\n`,
      ),
    'till.yaml',
    'by: hand',
  ],
]

test.each(EDITS)(
  'render runs the functions of a package again in which people changed %s, and then has nothing to do',
  (_, edit, path, line) => {
    const fleet = new OneVariantFleet({ v1: revision() })
    fleet.render(1)
    edit(fleet)
    expect(Object.fromEntries(fleet.render(1).fates)).toEqual({ updated: 1 })
    expect(fleet.readPackage(path)).toContain(line)
    const after = fleet.files()
    expect(Object.fromEntries(fleet.render(1).fates)).toEqual({ unchanged: 1 })
    expect(fleet.files()).toEqual(after)
  },
)

test('a label of the Kptfile that functions write comes back', () => {
  const fleet = new OneVariantFleet({ v1: revision() })
  fleet.render(1)
  fleet.editPackage('Kptfile', 'tier: front', 'tier: back')
  fleet.render(1)
  expect(fleet.readPackage('Kptfile')).not.toContain('tier: back')
})

test('an edit that no function reads or writes leaves the package as it is', () => {
  const fleet = new OneVariantFleet({ v1: revision() })
  fleet.render(1)
  fleet.editPackage('till.yaml', 'open: "8"', 'open: "9" # later')
  const before = fleet.files()
  const report = fleet.render(1)
  expect([Object.fromEntries(report.fates), rulesOf(report), report.functions.size]).toEqual([{ unchanged: 1 }, [], 0])
  expect(fleet.files()).toEqual(before)
})

test('an edit of a value that a function writes is lost with a warning, in a package that stays at its revision too', () => {
  const fleet = new OneVariantFleet({ v1: revision() })
  fleet.render(1)
  fleet.editPackage('till.yaml', 'size: m', 'size: xl')
  expect(rulesOf(fleet.render(1))).toEqual(['edit-lost'])
  expect(fleet.readPackage('till.yaml')).toContain('size: m')
})

test('a render without functions leaves a package that waits for them', () => {
  const fleet = new OneVariantFleet({ v1: revision() })
  fleet.render(1)
  fleet.editPackage('setters.yaml', 'size: m', 'size: xl')
  expect(Object.fromEntries(fleet.render(1, { runs: false }).fates)).toEqual({ unchanged: 1 })
})

test('functions without a runner leave an unchanged package as it is', () => {
  const fleet = new OneVariantFleet({ v1: revision() })
  fleet.render(1)
  fleet.editPackage('Kptfile', `${CATALOG}/set-labels:v0.2.0`, 'example.com/unknown:v1')
  expect(Object.fromEntries(fleet.render(1).fates)).toEqual({ unchanged: 1 })
})

const GROWING = `  - image: ${CATALOG}/search-replace:v0.2.0\n    configMap: {by-path: data.size, by-value-regex: '(.*)', put-value: '\${1}x'}\n`

test('functions that change their own output do not run again in an unedited package', () => {
  const fleet = new OneVariantFleet({ v1: revision(GROWING) })
  expect(rulesOf(fleet.render(1))).toContain('pipeline-not-idempotent')
  const before = fleet.files()
  const again = fleet.render(1)
  expect([Object.fromEntries(again.fates), rulesOf(again)]).toEqual([{ unchanged: 1 }, []])
  expect(fleet.files()).toEqual(before)
})

test('functions that change their own output do not run again in an edited package, and a warning says so', () => {
  const fleet = new OneVariantFleet({ v1: revision(GROWING) })
  fleet.render(1)
  fleet.editPackage('till.yaml', 'open: "8"', 'open: "9"')
  const before = fleet.files()
  const again = fleet.render(1)
  expect([Object.fromEntries(again.fates), rulesOf(again)]).toEqual([{ unchanged: 1 }, ['functions-behind']])
  expect(fleet.files()).toEqual(before)
})

test.each([
  ['behind', /ran, and `render` runs them again$/],
  ['unsettled', /ran, and its functions change their own output, so `render` does not run them again: `krm-variants run` does$/],
] as const)('a package that is %s is a warning at its Kptfile that says who runs its functions', (state, message) => {
  expect(behindResult('out/edge/shop', state)).toEqual({
    severity: 'warning',
    message: expect.stringMatching(message),
    file: { path: 'out/edge/shop/Kptfile', index: 0 },
    tags: { rule: 'functions-behind' },
  })
})
