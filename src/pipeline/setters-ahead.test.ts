import { expect, test } from 'vitest'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { functionsIn } from './pipeline-steps.ts'
import { settersAhead } from './setters-ahead.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const APP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  size: m # kpt-set: ${size}\n'

const kptfile = (...functions: readonly string[]) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline: {mutators: [${functions.join(', ')}]}\n`

const setters = (config: string) => `{image: '${CATALOG}/apply-setters:v0.2.0', ${config}}`
const fn = (name: string) => `{image: '${CATALOG}/${name}:v0.1', configMap: {a: b}}`

/** Returns the setters that are known to go nowhere before the functions of a package run. */
function namesIn(functions: readonly string[], { added = '', files = {} }: { added?: string; files?: Record<string, string> } = {}) {
  const variant = KrmObject.fromDocument(`kind: PackageVariant\nmetadata: {name: v}\nspec: {pipeline: {mutators: [${added}]}}\n`)
  const read = packageOfTexts({ Kptfile: kptfile(...functions), 'app.yaml': APP, ...files })
  return settersAhead(read, functionsIn(variant, ['spec', 'pipeline'])).map(({ message, resourceRef }) => {
    return `${resourceRef?.kind} ${/'(.*?)'/.exec(message)?.[1]}`
  })
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\ndata: {sise: l}\n'

test.each<[string, readonly string[], Parameters<typeof namesIn>[1]?]>([
  ['in the configMap of the package', [setters('configMap: {sise: l}')]],
  ['beside one that a comment names', [setters('configMap: {sise: l, size: m}')]],
  ['in a file of the package', [setters('configPath: ./setters.yaml')], { files: { 'setters.yaml': CONFIG } }],
  ['behind a function that keeps comments', [fn('set-namespace'), setters('configMap: {sise: l}')]],
  ['behind a function of the variant', [setters('configMap: {sise: l}')], { added: fn('set-labels') }],
])('a setter %s that no comment names is found before the functions run', (_, functions, more) => {
  expect(namesIn(functions, more)).toEqual(['Kptfile sise'])
})

test('a setter of a variant that no comment names is a finding about the variant', () => {
  expect(namesIn([], { added: setters('configMap: {sise: l}') })).toEqual(['PackageVariant sise'])
})

const CREATE = fn('create-setters')

test.each<[string, readonly string[], Parameters<typeof namesIn>[1]?]>([
  ['that a comment names', [setters('configMap: {size: l}')]],
  [
    'that a comment of a subpackage names',
    [setters('configMap: {sise: l}')],
    { files: { 'sub/b.yaml': APP.replace('${size}', '${sise}') } },
  ],
  ['behind a function that may write comments', [CREATE, setters('configMap: {sise: l}')]],
  ['behind such a function of the variant', [setters('configMap: {sise: l}')], { added: CREATE }],
  ['behind such a function of a subpackage', [setters('configMap: {sise: l}')], { files: { 'sub/Kptfile': kptfile(CREATE) } }],
  ['behind a function of others', ['{image: example.org/make:v1}', setters('configMap: {sise: l}')]],
  ['of a function that selects resources', [setters('configMap: {sise: l}, selectors: [{kind: Secret}]')]],
  ['of a function that leaves resources out', [setters('configMap: {sise: l}, exclude: [{kind: ConfigMap}]')]],
  ['of a function with a condition', [setters('configMap: {sise: l}, when: "false"')]],
  ['in a file that is not there', [setters('configPath: setters.yaml')]],
])('nothing is said of a setter %s', (_, functions, more) => {
  expect(namesIn(functions, more)).toEqual([])
})
