import { differing, type FieldPath, formatFieldPath } from '../field-path.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { nameFirst } from '../wording.ts'
import { sourceOf } from './hooks.ts'
import type { VendorObject } from './vendor-objects.ts'

/** The files of a chart by their paths below the chart's folder. */
export type ChartFiles = ReadonlyMap<string, string>

/**
 * Returns an error for each field that differs between two runs of one chart: a password, a certificate, a time. Each revision would change
 * the field. No value is in the message.
 */
export function randomFields(first: readonly VendorObject[], second: readonly VendorObject[], chart: ChartFiles): readonly Result[] {
  const others = new Map(second.map((each) => [identityOfObject(each.object), each.object]))
  const known = new Set(first.map(({ object }) => identityOfObject(object)))
  const results = first.flatMap((each) => {
    const other = others.get(identityOfObject(each.object))
    if (other === undefined) return [random(each, ['metadata', 'name'], chart)]
    return differing(each.object.toJson(), other.toJson(), []).map((path) => random(each, path, chart))
  })
  const appeared = second.filter(({ object }) => !known.has(identityOfObject(object)) && results.length === 0)
  return [...results, ...appeared.map((each) => random(each, ['metadata', 'name'], chart))]
}

function random(each: VendorObject, path: FieldPath, chart: ChartFiles): Result {
  const { object } = each
  const source = sourceOf(each)
  const values = source === undefined ? [] : silencingValues(chart, source, path)
  const way =
    values.length === 0
      ? 'set what the template makes it from with --values, or leave the object out with the values of the chart'
      : `set ${values.length === 1 ? 'the value' : 'the values'} ${nameFirst(values, MOST_VALUES)} with --values`
  return {
    severity: 'error',
    message: `\`${formatFieldPath(path)}\` of \`${formatResourceRef(object.ref)}\` must be the same in each run of the chart, and is random: ${way}`,
    // No `field`: of a finding about a field of a Secret what the message quotes is hidden, and the path of a key such as tls.crt is
    // quoted.
    resourceRef: object.ref,
    ...(source !== undefined && { file: { path: source, index: 0 } }),
    tags: { rule: 'import-random' },
  }
}

const MOST_VALUES = 5

/** Matches the functions of Helm's templates whose result differs in each run. */
const RANDOM =
  /\b(?:rand(?:Alpha|Numeric|AlphaNum|Ascii|Bytes|Int)\w*|gen(?:CA|PrivateKey|SelfSignedCert|SignedCert)\w*|uuidv4|now|htpasswd|bcrypt|derivePassword|shuffle)\b/

/**
 * Returns the values that the template of a field reads near the field, or near a function with random results; else those that the chart
 * reads near such a function in other templates.
 */
function silencingValues(chart: ChartFiles, source: string, path: FieldPath): readonly string[] {
  const file = source.slice(source.indexOf('/') + 1)
  const key = path.findLast((step) => typeof step === 'string') ?? ''
  const isField = (line: string) => RANDOM.test(line) || line.trimStart().startsWith(`${key}:`)
  const own = valuesNear(chart.get(file) ?? '', isField, file)
  if (own.length > 0) return own
  const others = [...chart].filter(([name]) => name.includes('templates/'))
  return [...new Set(others.flatMap(([name, text]) => valuesNear(text, (line) => RANDOM.test(line), name)))]
}

function valuesNear(text: string, isNear: (line: string) => boolean, file: string): readonly string[] {
  const subcharts = Array.from(file.matchAll(/charts\/([^/]+)\//g), ([, name = '']) => `${name}.`).join('')
  const lines = text.split('\n')
  const near = lines.filter((_, i) => lines.slice(Math.max(0, i - NEAR), i + NEAR + 1).some(isNear))
  const names = near.flatMap((line) => Array.from(line.matchAll(/\.Values\.(\w+(?:\.\w+)*)/g), ([, name = '']) => `${subcharts}${name}`))
  return [...new Set(names)]
}

/** The number of lines around a field that are searched. */
const NEAR = 2

/** Returns true if a template of a chart reads the clock. */
export function readsClock(chart: ChartFiles): boolean {
  return [...chart].some(([path, text]) => path.includes('templates/') && /\{\{[^}]*\bnow\b/.test(text))
}

/** Returns a warning for each template that asks the cluster (`lookup`): without one, the answer is empty, as at a first installation. */
export function lookupsOf(chart: ChartFiles): readonly Result[] {
  return [...chart].flatMap(([path, text]): Result[] => {
    if (!path.includes('templates/')) return []
    const line = text.split('\n').findIndex((each) => /\{\{[^}]*\blookup\s+"/.test(each))
    if (line === -1) return []
    const message =
      'asks the cluster (lookup), and there is none: the package has what a first installation would get; set the value by --values'
    return [
      { severity: 'warning', message, file: { path, index: 0 }, position: { line: line + 1, column: 1 }, tags: { rule: 'import-lookup' } },
    ]
  })
}
