import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packageVariantResults, packageVariantSetResults } from '../../testdata/kind-results.ts'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult, type Result } from '../result.ts'

// Files of public repositories, with what is wrong in them. They are no part of the repository; a continuous build must have them.
const REAL = new URL('../../../shared/real/', import.meta.url)
const here = SHARED_MUST_BE_THERE || existsSync(REAL)

interface Entry {
  readonly file: string
  readonly mistakes: readonly string[]
  readonly porch: Verdict & { readonly normalised?: Verdict }
}

interface Verdict {
  readonly decode_error?: string
  readonly strict_decode_error?: string
  readonly validation_errors?: readonly string[]
}

type Named = (results: readonly Result[], match: readonly string[]) => boolean

const at = (path: string, rules: readonly string[]): ((results: readonly Result[]) => boolean) => {
  return (results) => results.some(({ field, tags }) => formatFieldPath(field?.path ?? []) === path && rules.includes(tags.rule))
}

/** The words of the index for a mistake, and the result of ours that names it. */
const MISTAKES: readonly (readonly [RegExp, Named])[] = [
  [/^spec\.upstream\.revision: ".*" is str|^semantic: spec\.upstream\.revision/, at('spec.upstream.revision', ['string-revision'])],
  [/^semantic: neither spec\.upstream\.revision/, at('spec.upstream', ['upstream-revision'])],
  [/^(\S+): unknown field/, (results, [path = '']) => at(path, ['unknown-field'])(results)],
  [/^spec: NoneType/, (results) => at('spec.upstream', ['required'])(results)],
  [/^(\S+): .* (?:is|are) .*/, (results, [path = '']) => at(path, ['wrong-type', 'single-entry'])(results)],
  [/^semantic: must specify at least one item in (\S+)/, (results, [path = '']) => at(path, ['required', 'empty'])(results)],
  [/^(?:semantic: )?(\S+) missing/, (results, [path = '']) => at(path, ['required'])(results)],
  [/^metadata\.name '.*' is not a valid/, at('metadata.name', ['object-name', 'placeholder'])],
  [/^apiVersion '.*' is not served/, at('apiVersion', ['allowed-values', 'older-api-version'])],
  [/^duplicate keys: (.*)/, namesAllKeys],
  [/^holds placeholders to be replaced first: (.*)/, namesAllPlaceholders],
]

function namesAllKeys(results: readonly Result[], [list = '']: readonly string[]): boolean {
  const found = [...list.matchAll(/(\S+) \(line (\d+)\)/g)]
  return found.every(([, key, line]) =>
    results.some(
      ({ tags, field, message }) =>
        tags.rule === 'duplicate-key' && field?.path.at(-1) === key && new RegExp(`\\b${line}\\b`).test(message),
    ),
  )
}

function namesAllPlaceholders(results: readonly Result[], [list = '']: readonly string[]): boolean {
  return list
    .split(', ')
    .every((placeholder) => results.some(({ tags, message }) => tags.rule === 'placeholder' && message.includes(`'${placeholder}`)))
}

/** Mistakes of the index that are none for us. */
const NO_MISTAKES: readonly { readonly reason: string; readonly holds: (text: string, mistake: string) => boolean }[] = [
  {
    reason: 'the dollars are those of a hashed password',
    holds: (text, mistake) => mistake.startsWith('holds placeholders') && /: \$6\$/.test(text),
  },
  {
    reason: 'the placeholders stand in comments only, as kpt writes setters',
    holds: (text, mistake) => mistake.startsWith('holds placeholders') && !/^[^#\n]*\$\{/m.test(text),
  },
]

/** Our errors where the controller itself, asked without API server, has none. */
const BEYOND: Readonly<Record<string, string>> = {
  placeholder: 'a name or an expression that something should have been put into',
  'object-name': 'an API server refuses the name',
  'wrong-type': 'a number without quotes, which Go makes a string of and the API server refuses',
  'duplicate-key': 'strict decoding refuses it, the controller alone takes the last',
  'allowed-values': 'apiVersion: the API server serves none such',
  'unknown-field': 'the API server prunes it or refuses it',
  'older-api-version': 'a v1alpha1 set was read as v1alpha2',
  required: 'metadata.name: the API server refuses an object without',
}

function isClean({ decode_error, strict_decode_error, validation_errors }: Verdict): boolean {
  return decode_error === undefined && strict_decode_error === undefined && (validation_errors ?? []).length === 0
}

type Verdicts = { readonly [verdict in 'found' | 'missed' | 'none']: readonly string[] }

/** Returns what became of each mistake of a file: named by a result of ours, none for us, or missed. */
function judge({ file, mistakes }: Entry, text: string, results: readonly Result[]): Verdicts {
  const isNamed = (mistake: string): boolean => {
    const [pattern, named] = MISTAKES.find(([form]) => form.test(mistake)) ?? [/^/, () => false]
    // A set of v1alpha1 has one error that stands for all.
    return at('apiVersion', ['older-api-version'])(results) || named(results, pattern.exec(mistake)?.slice(1) ?? [])
  }
  const others = mistakes.filter((mistake) => !isNamed(mistake))
  const isNone = (mistake: string): boolean => NO_MISTAKES.some(({ holds }) => holds(text, mistake))
  return {
    found: mistakes.filter(isNamed),
    none: others.filter(isNone),
    missed: others.filter((mistake) => !isNone(mistake)).map((mistake) => `${file}: ${mistake}`),
  }
}

test.skipIf(!here).each([
  { folder: 'packagevariantsets', validate: packageVariantSetResults, least: 50 },
  { folder: 'packagevariants', validate: packageVariantResults, least: 100 },
])('real $folder: every known mistake is named with its place, and valid files have no errors', ({ folder, validate, least }) => {
  const { entries }: { entries: readonly Entry[] } = JSON.parse(readFileSync(new URL(`${folder}/INDEX.json`, REAL), 'utf8'))
  const files = entries.map((entry) => {
    const text = readFileSync(new URL(`${folder}/${entry.file}`, REAL), 'utf8')
    const results = validate(KrmObject.fromDocument(text, { path: entry.file, index: 0, line: 1 }))
    return { ...entry, text, results, verdicts: judge(entry, text, results) }
  })
  const count = (verdict: keyof Verdicts): number => files.flatMap(({ verdicts }) => verdicts[verdict]).length
  const clean = files.filter(({ porch }) => isClean(porch.normalised ?? porch))
  const beyond = clean.flatMap(({ results }) => results.filter(({ severity }) => severity === 'error'))
  console.log(`${folder}: ${count('found')} found, ${count('missed')} missed, ${count('none')} none`)
  console.log(`${beyond.length} errors beyond the controller:\n${beyond.map(formatResult).join('\n')}`)
  expect(files.flatMap(({ verdicts }) => verdicts.missed)).toEqual([])
  expect(beyond.filter(({ tags }) => !Object.hasOwn(BEYOND, tags.rule))).toEqual([])
  for (const { text, results } of files) {
    for (const { position } of results) expect(text.split('\n').length).toBeGreaterThanOrEqual(position?.line ?? Number.POSITIVE_INFINITY)
  }
  expect(entries.length).toBeGreaterThanOrEqual(least)
})
