import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { validatePackageVariant } from './package-variant.ts'
import { validatePackageVariantSet } from './package-variant-set.ts'

// Answers of the real Porch v1.5 controllers. They are no part of the repository; a continuous build must have them.
const VECTORS = new URL('../../../shared/vectors/porch/', import.meta.url)
const here = process.env.CI === 'true' || existsSync(VECTORS)

interface SetCase {
  readonly name: string
  readonly input: { readonly set: JsonRecord }
  readonly expected: { readonly stage: string; readonly errors?: readonly string[] }
}

interface VariantCase {
  readonly name: string
  readonly input: { readonly variant: JsonRecord }
  readonly expected: { readonly validationErrors?: readonly string[] }
}

/** The field that a text of the set controller is about (Porch v1.5, validate.go). */
const SET_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^either (spec\.upstream)\.revision/, '$1'],
  [/^must specify at least one item in (spec\.targets)/, '$1'],
  [/^(\S+)\.objectselector\.(\S+) /, '$1.objectSelector.$2'],
  [/^(\S+) may specify only one of `downstream\./, '$1.downstream'],
  [/^(spec\S+) /, '$1'],
]

/** The field that a text of the variant controller is about (Porch v1.5, packagevariant_controller.go). */
const VARIANT_FIELDS: typeof SET_FIELDS = [
  [/^missing required field (\S+)$/, '$1'],
  [/^(\S+): Invalid value: /, '$1'],
  [/^(spec\S+) /, '$1'],
]

function fieldOf(text: string, table: typeof SET_FIELDS): string {
  const row = table.find(([pattern]) => pattern.test(text))
  if (row === undefined) throw new Error(`no field known for "${text}"`)
  return text.replace(new RegExp(`${row[0].source}.*`, 's'), row[1])
}

/** Where we refuse what the set controller lets through, or refuses later: our rule, and what an input must hold for it. */
const DEVIATIONS: readonly {
  readonly rule: string
  readonly reason: string
  readonly holds: (set: JsonRecord, expected: SetCase['expected']) => boolean
}[] = [
  {
    rule: 'map-entry',
    reason: 'a MapExpr without key or value writes an empty string there (docs/porch.md 18)',
    holds: (set) => mapExprs(set).some((entry) => lacks(entry, 'key') || lacks(entry, 'value')),
  },
  {
    rule: 'exclusive-fields',
    reason: 'configMapExprs are not checked there (docs/porch.md 20)',
    holds: (set) =>
      fieldsNamed(set, 'configMapExprs')
        .flatMap(items)
        .some((entry) => has(entry, 'key', 'keyExpr') || has(entry, 'value', 'valueExpr')),
  },
  {
    rule: 'reserved-context-key',
    reason: 'reserved context keys fail at the variant there (docs/porch.md 21)',
    holds: (set) => fieldsNamed(set, 'packageContext').some((context) => /"(name|package-path)"/.test(JSON.stringify(context))),
  },
  {
    rule: 'label-selector',
    reason: 'a bad selector fails there when targets are unrolled (docs/porch.md 12)',
    holds: (_, { stage }) => stage === 'unroll',
  },
  {
    rule: 'allowed-values',
    reason: 'so does an unknown operator (docs/porch.md 12)',
    holds: (set, { stage }) =>
      stage === 'unroll' &&
      fieldsNamed(set, 'operator').some((operator) => !['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(String(operator))),
  },
  {
    rule: 'placeholder',
    reason: 'a placeholder in an expression fails there when it is compiled',
    holds: (set, { stage }) => stage === 'render' && /Exprs?":[^}]*\$\{/.test(JSON.stringify(set)),
  },
]

function fieldsNamed(value: JsonValue | undefined, name: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsNamed(item, name))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, child]) => [...(key === name ? [child] : []), ...fieldsNamed(child, name)])
}

function items(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function mapExprs(set: JsonRecord): JsonValue[] {
  return ['labelExprs', 'annotationExprs', 'dataExprs', 'configMapExprs'].flatMap((name) => fieldsNamed(set, name)).flatMap(items)
}

function has(entry: JsonValue, ...keys: string[]): boolean {
  return isRecord(entry) && keys.every((key) => lookup(entry, key) !== undefined)
}

function lacks(entry: JsonValue, part: string): boolean {
  return !has(entry, part) && !has(entry, `${part}Expr`)
}

function faultyFields(results: readonly Result[]): string[] {
  const errors = results.filter(({ severity }) => severity === 'error')
  return [...new Set(errors.map(({ field }) => formatFieldPath(field?.path ?? [])))].sort()
}

function cases<T>(path: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(path, VECTORS), 'utf8'))
}

test.skipIf(!here)('every set of the fan-out vectors: the faulty fields of the controller, and no others but for known reasons', () => {
  const counts = { equal: 0, known: 0, cases: 0 }
  for (const file of readdirSync(new URL('fan-out/', VECTORS)).sort()) {
    for (const { name, input, expected } of cases<SetCase>(`fan-out/${file}`)) {
      const results = validatePackageVariantSet(KrmObject.fromDocument(JSON.stringify(input.set)))
      const known = DEVIATIONS.filter(({ holds }) => holds(input.set, expected)).map(({ rule }) => rule)
      const wanted =
        expected.stage === 'validation' ? [...new Set((expected.errors ?? []).map((text) => fieldOf(text, SET_FIELDS)))].sort() : []
      const beyond = results.filter(
        ({ severity, tags, field }) =>
          severity === 'error' && known.includes(tags.rule) && !wanted.includes(formatFieldPath(field?.path ?? [])),
      )
      expect({ name, fields: faultyFields(results.filter((result) => !beyond.includes(result))) }).toEqual({ name, fields: wanted })
      counts.cases += 1
      counts[beyond.length > 0 ? 'known' : 'equal'] += 1
    }
  }
  console.log(`fan-out validation: ${counts.equal} of ${counts.cases} equal, ${counts.known} known`)
  expect(counts.cases).toBeGreaterThan(300)
})

test.skipIf(!here)(
  'every variant of the mutation vectors: the faulty fields of the controller, and no others but for known reasons',
  () => {
    const counts = { equal: 0, known: 0, cases: 0 }
    for (const file of readdirSync(new URL('mutations/', VECTORS)).sort()) {
      for (const { name, input, expected } of cases<VariantCase>(`mutations/${file}`)) {
        const results = validatePackageVariant(KrmObject.fromDocument(JSON.stringify(input.variant)))
        const wanted = [...new Set((expected.validationErrors ?? []).map((text) => fieldOf(text, VARIANT_FIELDS)))].sort()
        // the API server prunes these before the controller sees them
        const beyond = results.filter(({ tags }) => tags.rule === 'unknown-field')
        expect({ name, fields: faultyFields(results.filter((result) => !beyond.includes(result))) }).toEqual({ name, fields: wanted })
        counts.cases += 1
        counts[beyond.length > 0 ? 'known' : 'equal'] += 1
      }
    }
    console.log(`mutations validation: ${counts.equal} of ${counts.cases} equal, ${counts.known} known`)
    expect(counts.cases).toBeGreaterThan(100)
  },
)
