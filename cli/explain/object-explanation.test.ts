import { expect, test } from 'vitest'
import { ValueOrigins } from '../../src/diff/causes/value-origins.ts'
import { formatSteps } from '../../src/diff/field-changes.ts'
import { configText, KPTFILE_TEXT, stateOfFiles, variantText } from '../../src/diff/testing/states-of-files.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import { askedSteps, explainValue } from './object-explanation.ts'

const UPSTREAM = writtenObject(configText('web', 'one'))
const RENDERED = writtenObject(configText('web', 'two'))

/** Returns the paths of the fields that are explained. */
function asked(field: string, shown = RENDERED): readonly string[] {
  return askedSteps(shown, RENDERED, field, () => UPSTREAM).map(formatSteps)
}

test('without a field every value that is not that of the upstream package is explained', () => {
  expect(asked('')).toEqual(['data.value'])
  expect(asked('', writtenObject(`${configText('web', 'two')}immutable: true\n`))).toEqual(['data.value', 'immutable'])
})

test('a field is explained alone, and an unknown one is refused with the nearest', () => {
  expect(asked('kind')).toEqual(['kind'])
  expect(() => asked('data.valeu')).toThrow("'data' has no field 'valeu'; did you mean 'value'?")
  expect(() => asked('dat')).toThrow("ConfigMap web has no field 'dat'; did you mean 'data'?")
})

const service = (...ports: readonly string[]) =>
  writtenObject(`apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n${ports.map((port) => `  - {${port}}\n`).join('')}`)

test.each([
  ['with its name', ['name: http, port: 8080'], ['name: http, port: 80'], ['spec.ports[http].port']],
  ['without a name', ['port: 8080'], ['port: 80'], ['spec.ports[8080]']],
  ['under another name', ['name: web, port: 8080'], ['name: http, port: 80'], ['spec.ports[8080]']],
  ['beside another one', ['name: a, port: 1', 'name: b, port: 3'], ['name: a, port: 1', 'name: b, port: 2'], ['spec.ports[b].port']],
])('a port %s that got another number is explained', (_, shown, rendered, paths) => {
  const [present, former] = [service(...shown), service(...rendered)]
  expect(askedSteps(present, former, '', () => former).map(formatSteps)).toEqual(paths)
})

const SETTER = `  pipeline:
    mutators:
    - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
      configMap: {size: "two"}
`

/** Explains `data.value` of the only object of a fleet; `own` is the object on disk. */
function explained(text: string, own?: string) {
  const state = stateOfFiles({
    'catalog/web@1/Kptfile': KPTFILE_TEXT,
    'catalog/web@1/a.yaml': text,
    'fleet/a.yaml': variantText('a', 'edge/a', { more: SETTER }),
  })
  const origins = new ValueOrigins(state)
  const [step] = state.plan.steps
  const [object] = (step && origins.objectsOf(step)) ?? []
  if (step === undefined || object === undefined) throw new Error('one object is rendered')
  const [steps = []] = askedSteps(object, object, text.includes('stringData') ? 'stringData.value' : 'data.value', () => undefined)
  const written = own === undefined ? undefined : writtenObject(own, 'out/a.yaml')
  return explainValue(steps, { step, object, own: written, setters: () => [], origins, source: 'catalog/web@v1', fields: [] })
}

const SET = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  value: one # kpt-set: ${size}\n'

test('a value has the field of the variant that gives it, and what the upstream package has', () => {
  expect(explained(SET)).toEqual({
    path: 'data.value',
    value: 'two',
    variant: [
      {
        path: 'spec.pipeline.mutators[0].configMap.size',
        value: 'two',
        source: 'static',
        from: 'spec.pipeline.mutators[0].configMap.size',
        place: 'fleet/a.yaml:10',
      },
    ],
    functions: [],
    upstream: { package: 'catalog/web@v1', value: 'one', place: 'catalog/web@1/a.yaml:5' },
  })
})

test('a value that a person edited has the line of the edit and the value without it', () => {
  const { value, edit } = explained(SET, SET.replace('one', 'mine'))
  expect({ value, edit }).toEqual({ value: 'mine', edit: { place: 'out/a.yaml:5', rendered: 'two' } })
})

test('an entry of a list that a person added has no value without the edit', () => {
  const list = (...names: readonly string[]) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {value: a}\nlist:\n${names.map((name) => `- {name: ${name}}\n`).join('')}`
  const steps = ['list', { name: 'b' }]
  const state = stateOfFiles({
    'catalog/web@1/Kptfile': KPTFILE_TEXT,
    'catalog/web@1/a.yaml': list('a'),
    'fleet/a.yaml': variantText('a', 'edge/a'),
  })
  const origins = new ValueOrigins(state)
  const found = state.plan.steps.flatMap((step) => {
    const own = writtenObject(list('a', 'b'), 'out/a.yaml')
    return (origins.objectsOf(step) ?? []).map((object) =>
      explainValue(steps, { step, object, own, setters: () => [], origins, source: 's', fields: [] }),
    )
  })
  expect(found).toMatchObject([{ path: 'list[b]', value: { name: 'b' }, edit: { place: 'out/a.yaml:7' } }])
  expect(found.map(({ edit }) => edit?.rendered)).toEqual([undefined])
})

test('no value of a Secret is shown', () => {
  const secret = SET.replace('ConfigMap', 'Secret').replace('\ndata:', '\nstringData:')
  expect(JSON.stringify(explained(secret, secret.replace('one', 'mine')))).not.toMatch(/"(?:value|rendered)":"(?:one|mine)"/)
})
