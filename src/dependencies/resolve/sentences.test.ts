import { expect, test } from 'vitest'
import { requirementIncompatibility, SolverPackage, type Term } from './external-incompatibility.ts'
import type { Conclusion, Derivation } from './incompatibility.ts'
import { describeConclusion, describeExternal, describeValues, writeSentences } from './sentences.ts'
import { versionSet } from './version-set.ts'

function packageOf(id: string, versions: readonly string[], order = 0): SolverPackage {
  const pkg = new SolverPackage({ id, versions })
  pkg.order = order
  return pkg
}

const A = packageOf('a', ['3', '2', '1'], 1)
const B = packageOf('b', ['1'], 2)
const C = packageOf('c', ['2', '1'], 3)
const one = (pkg: SolverPackage, ...numbers: readonly number[]): Term => ({ package: pkg, values: versionSet(numbers) })
const orAbsent = ({ package: pkg, values }: Term): Term => ({ package: pkg, values: values | pkg.absent })

/** Returns a requirement of versions of a in words. */
function required(owner: Term, choices: readonly Term[], more: { readonly optional?: boolean; readonly lack?: () => string } = {}): string {
  const requirement = { wants: 'b >=1', anyOf: [], ...more }
  const cause = { type: 'requirement', package: owner.package.id, versions: owner.values, requirement } as const
  return describeExternal(requirementIncompatibility(requirement, choices, { cause, owner, given: true }))
}

test('a requirement names the versions that have it, and what it wants', () => {
  expect(required(one(A, 0), [one(B, 0)])).toBe('a 3 requires b >=1')
  expect(required(one(A, 0, 1, 2), [one(B, 0)])).toBe('every version of a requires b >=1')
  expect(required(one(B, 0), [one(A, 0)])).toBe('b 1 requires b >=1')
  expect(required(one(A, 0), [one(B, 0)], { optional: true })).toBe('a 3 goes only with b >=1')
})

test('a requirement that nothing meets says why', () => {
  expect(required(one(A, 0), [one(B)])).toBe('a 3 requires b >=1 (no such version is known)')
  expect(required(one(A, 0), [one(B)], { lack: () => ', of which 0.9 is known' })).toBe('a 3 requires b >=1, of which 0.9 is known')
  expect(required(one(A, 0), [one(B), one(C, 0)])).toBe('a 3 requires b >=1')
  expect(required(one(A, 0), [])).toBe('a 3 requires b >=1')
})

test('a root requirement and an exclusion have their own sentences', () => {
  const root = { id: 'r', text: 'app requires b', anyOf: [] }
  const ofRoot = (choices: readonly Term[]) =>
    describeExternal(requirementIncompatibility(root, choices, { cause: { type: 'root', root }, given: true }))
  expect([ofRoot([one(B, 0)]), ofRoot([one(B)])]).toEqual(['app requires b', 'app requires b (no such version is known)'])
  const exclusion = { id: 'x', text: 'at most one of a and b', together: [] }
  expect(describeExternal({ cause: { type: 'exclusion', exclusion }, given: true, terms: [], choices: [] })).toBe('at most one of a and b')
})

test.each([
  ['a 3', one(A, 0)],
  ['a 1 to 3', one(A, 0, 1, 2)],
  ['a 1, 3', one(A, 0, 2)],
  ['a 1 to 3, or absent', orAbsent(one(A, 0, 1, 2))],
  ['no a', orAbsent(one(A))],
  ['no value for a', one(A)],
])('the values that a package may have: %s', (words, term) => {
  expect(describeValues(term)).toBe(words)
})

test('of many runs of versions six are named', () => {
  const labels = Array.from({ length: 20 }, (_, i) => String(20 - i))
  const odd = (count: number) => one(packageOf('m', labels), ...Array.from({ length: count }, (_, i) => 19 - 2 * i))
  expect(describeValues(odd(6))).toBe('m 1, 3, 5, 7, 9, 11')
  expect(describeValues(odd(8))).toBe('m 1, 3, 5, 7, 9, 11, and 2 more')
})

test.each<readonly [string, readonly Term[]]>([
  ['there is no solution', []],
  ['a 3 cannot be used', [one(A, 0)]],
  ['no version of a can be used', [one(A, 0, 1, 2)]],
  ['b 1 cannot be used', [one(B, 0)]],
  ['a 3 and b 1 cannot be used together', [one(B, 0), one(A, 0)]],
  ['a is required', [orAbsent(one(A))]],
  ['a 3 or c 1 is required', [orAbsent(one(C, 0)), orAbsent(one(A, 1, 2))]],
  ['a 3 requires b 1', [one(A, 0), orAbsent(one(B))]],
  ['a 3 requires c', [orAbsent(one(C)), one(A, 0)]],
  ['a 3 and b 1 together require c 2', [one(A, 0), one(B, 0), orAbsent(one(C, 1))]],
  ['every version of a requires b 1 or c', [one(A, 0, 1, 2), orAbsent(one(B)), orAbsent(one(C))]],
])('terms that must not all hold, as a clause: %s', (words, terms) => {
  expect(describeConclusion(terms)).toBe(words)
})

const fact = (text: string): Derivation => {
  const exclusion = { id: text, text, together: [] }
  return { type: 'external', external: { cause: { type: 'exclusion', exclusion }, given: true, terms: [], choices: [] } }
}
const conclusion = (causes: Conclusion['causes'], ...terms: readonly Term[]): Conclusion => ({ type: 'conclusion', terms, causes })

test('a conclusion that two others follow from is written once, and named by its number after that', () => {
  const shared = conclusion([fact('p'), fact('q')], one(A, 0))
  const left = conclusion([fact('r'), shared], one(B, 0))
  const right = conclusion([fact('t'), conclusion([fact('s'), shared], one(C, 0))], one(C, 1))
  expect(writeSentences(conclusion([left, right]))).toEqual([
    'Because p and q, a 3 cannot be used. (1)',
    'And because r, b 1 cannot be used. (2)',
    'Because s and a 3 cannot be used (1), c 2 cannot be used.',
    'And because t, c 1 cannot be used.',
    'And because b 1 cannot be used (2), there is no solution.',
  ])
})
