import { CATALOG } from '../../src/catalog/catalog.ts'
import type { KrmFunction } from '../../src/run.ts'
import { type Attack, repeat, WRAPPER } from './attack.ts'

function newest(name: string): KrmFunction {
  const found = CATALOG.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no function ${name}`)
  return found.at(found.versions[0] ?? '')
}

function configMap(name: string, body: string): string {
  return `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n${body}`
}

const VALUE = configMap('value', '  data:\n    v: x\n')

function replacing(items: string, replacements: string): string {
  return `${WRAPPER}${VALUE}${items}functionConfig:\n  apiVersion: fn.kpt.dev/v1alpha1\n  kind: ApplyReplacements\n  metadata:\n    name: r\n  replacements:\n${replacements}`
}

const SOURCE = '  - source: {name: value, fieldPath: data.v}\n    targets:\n'
const keys = (count: number) => configMap('keys', `  data:\n${repeat(count, (n) => `    k${n}: a\n`)}`)

function replacement(source: string, target: string): string {
  return `  - {source: {name: value, fieldPath: ${source}}, targets: [{select: {name: value}, ${target}}]}\n`
}

/** Functions of the catalog with configs that are made to cost. */
export const CONFIG_ATTACKS: readonly Attack[] = [
  {
    what: '20,000 targets of a replacement in one object',
    fn: newest('apply-replacements'),
    text: () => replacing(keys(20_000), `${SOURCE}${repeat(20_000, (n) => `    - {select: {name: keys}, fieldPaths: [data.k${n}]}\n`)}`),
    units: 90,
    counted: 'each target is an edit',
  },
  {
    what: '20,000 replacements that lead nowhere',
    fn: newest('apply-replacements'),
    text: () =>
      replacing(
        keys(1),
        repeat(20_000, (n) => replacement('data.v', `fieldPaths: [data.k${n}]`)),
      ),
    units: 150,
    counted: 'each replacement is an error with its place',
  },
  {
    what: '9,000 targets of a replacement among 9,000 objects',
    fn: newest('apply-replacements'),
    text: () =>
      replacing(
        repeat(9000, (n) => configMap(`c${n}`, '  data:\n    v: x\n')),
        `${SOURCE}${repeat(9000, (n) => `    - {select: {name: c${n}}, fieldPaths: [data.v]}\n`)}`,
      ),
    units: 200,
    counted: 'every target is compared with every object',
  },
  {
    what: 'a map that 20,000 replacements copy into itself',
    fn: newest('apply-replacements'),
    text: () =>
      replacing(
        '',
        repeat(20_000, (n) => replacement('data', `fieldPaths: [data.k${n}], options: {create: true}`)),
      ),
    units: 150,
    counted: 'each replacement has two selectors',
  },
  {
    what: 'a text that 20,000 replacements double',
    fn: newest('apply-replacements'),
    text: () =>
      replacing(
        '',
        repeat(20_000, () => replacement('data.v', 'fieldPaths: [data.v], options: {delimiter: ",", index: 1000000000}')),
      ),
    units: 150,
    counted: 'each replacement has two selectors',
  },
  {
    what: 'a field path of 200,000 steps',
    fn: newest('apply-replacements'),
    text: () => replacing('', replacement('data.v', `fieldPaths: ["${'a.'.repeat(200_000)}a"], options: {create: true}`)),
    units: 15,
  },
  {
    what: '250,000 setters',
    fn: newest('apply-setters'),
    text: () =>
      `${WRAPPER}${configMap('value', '  data:\n    v: x # kpt-set: ${s7}\n')}functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: s\n  data:\n${repeat(250_000, (n) => `    s${n}: a\n`)}`,
    units: 300,
    counted: 'each setter is a name',
  },
  {
    what: '100,000 fields with setters in one object',
    fn: newest('apply-setters'),
    text: () =>
      `${WRAPPER}${configMap('value', `  data:\n${repeat(100_000, (n) => `    k${n}: x # kpt-set: \${s}-\${t}\n`)}`)}functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: s\n  data:\n    s: a\n    t: b\n`,
    units: 300,
    counted: 'each field is an edit and a result',
  },
]
