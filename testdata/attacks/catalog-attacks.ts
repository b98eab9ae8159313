import { APPLY_SETTERS } from '../../src/catalog/apply-setters/apply-setters.ts'
import type { CatalogFunction } from '../../src/catalog/catalog-function.ts'
import { CREATE_SETTERS } from '../../src/catalog/create-setters/create-setters.ts'
import { ENSURE_NAME_SUBSTRING } from '../../src/catalog/ensure-name-substring/ensure-name-substring.ts'
import { LIST_SETTERS } from '../../src/catalog/list-setters/list-setters.ts'
import { SEARCH_REPLACE } from '../../src/catalog/search-replace/search-replace.ts'
import { SET_IMAGE } from '../../src/catalog/set-image/set-image.ts'
import type { KrmFunction } from '../../src/run.ts'
import { type Attack, repeat, WRAPPER } from './attack.ts'

const newest = ({ versions, at }: CatalogFunction): KrmFunction => at(versions[0] ?? '')

/** A list with a ConfigMap as functionConfig. */
function withConfig(items: string, data: string): string {
  return `${WRAPPER}${items}functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: fn-config\n  data:\n${data}`
}

/** So many objects with a file, each with some lines below `spec`. */
function tills(count: number, spec: (n: number) => string): string {
  return repeat(
    count,
    (n) => `- apiVersion: example.com/v1
  kind: Till
  metadata:
    name: till-${n}
    annotations:
      internal.config.kubernetes.io/path: 'till-${n}.yaml'
  spec:
${spec(n)}`,
  )
}

const fields = (count: number, text: (n: number) => string) => repeat(count, (n) => `    k${n}: ${text(n)}\n`)

function pods(count: number): string {
  return repeat(
    count,
    (n) => `- apiVersion: v1
  kind: Pod
  metadata:
    name: web
    namespace: n${n}
  spec:
    serviceAccountName: web
    containers:
    - image: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
- apiVersion: v1
  kind: ServiceAccount
  metadata:
    name: web
    namespace: n${n}
`,
  )
}

const option = (key: string, value: string) => `    ${key}: ${JSON.stringify(value)}\n`
const search = newest(SEARCH_REPLACE)
const createSetters = newest(CREATE_SETTERS)
const image = newest(SET_IMAGE)
const rename = newest(ENSURE_NAME_SUBSTRING)
const millionSetters = () => repeat(1_000_000, (n) => `    s${n.toString(36)}: 1\n`)
const AB = tills(100, () => fields(100, () => 'ab'.repeat(50)))

/** Attacks that are more work than an ordinary input of their size. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['groups of an expression in long texts', '10,000 texts of 100 characters, each read with every state of the expression'],
  ['a value of 100 kB for 10,000 fields', '64 MB of values, each read as YAML, until the limit'],
  ['20,000 comments in brackets', '20,200 results'],
])

/** Inputs that cost the built-in functions of the catalog more than their size. */
export const CATALOG_ATTACKS: readonly Attack[] = (
  [
    ['an expression whose automaton explodes', 15, search, () => withConfig(AB, option('by-value-regex', '(a|b)*b(a|b){60}[^ab]'))],
    [
      'an expression that backtracks in set-image',
      54,
      image,
      () => withConfig(pods(5000), option('name', '(a+)+') + option('newTag', '1')),
    ],
    [
      'groups of an expression in long texts',
      270,
      search,
      () => withConfig(AB, option('by-value-regex', '(.*)(.*)(.*)(b)') + option('put-value', '${1}${4}')),
    ],
    ['an expression of a thousand thousand repeats', 9, search, () => withConfig(AB, option('by-value-regex', '(a{1,1000}){1,1000}'))],
    ['a path of 100,000 stars', 12, search, () => withConfig(AB, option('by-path', `${'**.*.'.repeat(50_000)}k`))],
    [
      'a pattern of files with 500 stars',
      9,
      search,
      () => withConfig(AB, option('by-file-path', `${'*l'.repeat(500)}x`) + option('by-value', 'a')),
    ],
    [
      'a value of 100 kB for 10,000 fields',
      350,
      search,
      () => withConfig(AB, option('by-value-regex', '^ab') + option('put-value', 'x'.repeat(100_000))),
    ],
    [
      'a tag of 100 kB for 5,000 images',
      51,
      image,
      () => withConfig(pods(5000), option('name', 'a+!') + option('newTag', 'x'.repeat(100_000))),
    ],
    ['a million setters to create', 150, createSetters, () => withConfig(AB, millionSetters())],
    [
      'a million setters to apply',
      150,
      newest(APPLY_SETTERS),
      () =>
        withConfig(
          tills(1000, (n) => `    a: v # kpt-set: \${s${n}}\n`),
          millionSetters(),
        ),
    ],
    [
      'setters with values of a thousand lengths',
      18,
      createSetters,
      () =>
        withConfig(
          tills(100, () => fields(100, () => 'a'.repeat(100))),
          repeat(1000, (n) => `    s${n}: ${'a'.repeat(n)}b\n`),
        ),
    ],
    [
      '20,000 comments with 100 setters each',
      111,
      newest(LIST_SETTERS),
      () =>
        withConfig(
          tills(200, () => repeat(100, (n) => `    k${n}: ${'a-'.repeat(100)}b # kpt-set: ${repeat(100, (i) => `\${s${i}}-`)}b\n`)),
          '',
        ),
    ],
    ['20,000 objects of one name in 10,000 namespaces', 220, rename, () => withConfig(pods(10_000), option('prepend', 'dev-'))],
    [
      '20,000 comments in brackets',
      75,
      createSetters,
      () =>
        withConfig(
          tills(200, () => `    l: [${'ab, '.repeat(100)}ab]\n`),
          '    s: ab\n',
        ),
    ],
  ] as const
).map(([what, units, fn, text]) => ({ what, units, fn, text, counted: COUNTED.get(what) }))
