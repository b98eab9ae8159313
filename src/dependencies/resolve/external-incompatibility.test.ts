import { expect, test } from 'vitest'
import {
  compareAsked,
  compareExternal,
  type ExternalIncompatibility,
  exclusionIncompatibility,
  homeOf,
  isLast,
  isVacuous,
  narrowTo,
  requirementIncompatibility,
  SolverPackage,
  type Term,
} from './external-incompatibility.ts'

// The versions of a and b are 2 and 1, as the bits 0b01 and 0b10; absent is 0b100.
const twoVersions = (id: string) => new SolverPackage({ id, versions: ['2', '1'] })
const [a, b, c] = [twoVersions('a'), twoVersions('b'), twoVersions('c')]
const term = (pkg: SolverPackage, values: bigint): Term => ({ package: pkg, values })

/** Returns what a version requires, as the terms that must not all hold. */
function required(owner: Term | undefined, choices: readonly Term[], optional = false, wants = 'x'): ExternalIncompatibility {
  const anyOf = choices.map(({ package: { id }, values }) => ({ package: id, versions: values }))
  const requirement = { anyOf, wants, optional }
  const cause = { type: 'requirement', package: owner?.package.id ?? '', versions: owner?.values ?? 0n, requirement } as const
  return requirementIncompatibility(requirement, choices, { cause, owner, given: false })
}

const rootOf = (id: string, isLastRoot = false) =>
  requirementIncompatibility({ anyOf: [] }, [term(a, 0b01n)], {
    cause: { type: 'root', root: { id, text: id, anyOf: [], isLast: isLastRoot } },
    given: true,
  })
const excluded = (id: string, ...together: readonly Term[]) => exclusionIncompatibility({ id, text: id, together: [] }, together)
const termsOf = ({ terms }: ExternalIncompatibility) => terms.map(({ package: { id }, values }) => [id, values])

test('a package may have each of its versions, or be absent', () => {
  expect([a.versions, a.absent, a.values]).toEqual([0b011n, 0b100n, 0b111n])
})

test('a requirement forbids its owner together with every value that does not meet it, absent too', () => {
  expect(termsOf(required(term(a, 0b01n), [term(b, 0b01n)]))).toEqual([
    ['a', 0b01n],
    ['b', 0b110n],
  ])
  expect(termsOf(required(term(a, 0b01n), [term(b, 0b01n), term(c, 0b11n)]))).toEqual([
    ['a', 0b01n],
    ['b', 0b110n],
    ['c', 0b100n],
  ])
  expect(termsOf(required(undefined, [term(b, 0b01n)]))).toEqual([['b', 0b110n]])
})

test('an optional requirement is met by an absent package, and gives the search no choice', () => {
  const optional = required(term(a, 0b01n), [term(b, 0b01n)], true)
  expect(termsOf(optional)).toEqual([
    ['a', 0b01n],
    ['b', 0b010n],
  ])
  expect([optional.choices, required(term(a, 0b01n), [term(b, 0b01n)]).choices]).toEqual([[], [term(b, 0b01n)]])
})

test('two choices of one package allow the values of both', () => {
  expect(termsOf(required(term(a, 0b01n), [term(b, 0b01n), term(b, 0b10n)]))).toEqual([
    ['a', 0b01n],
    ['b', 0b100n],
  ])
})

test('a version that requires its own package in another version is forbidden, in its own version it requires nothing', () => {
  expect(termsOf(required(term(a, 0b01n), [term(a, 0b10n)]))).toEqual([['a', 0b01n]])
  expect([[term(a, 0b01n)], [term(a, 0b10n)]].map((choices) => isVacuous(required(term(a, 0b01n), choices)))).toEqual([true, false])
})

test('a term that allows every value says nothing', () => {
  expect(termsOf(required(term(a, 0b111n), [term(b, 0b01n)]))).toEqual([['b', 0b110n]])
  expect(termsOf(excluded('x', term(a, 0b111n), term(b, 0b01n), term(c, 0b10n)))).toEqual([
    ['b', 0b01n],
    ['c', 0b10n],
  ])
})

test('a requirement can be narrowed to fewer versions of its owner; nothing else can', () => {
  const both = required(term(a, 0b11n), [term(b, 0b01n)])
  const narrow = narrowTo(both, 0b10n)
  expect([termsOf(narrow), narrow.owner?.values, narrow.cause.type === 'requirement' && narrow.cause.versions]).toEqual([
    [
      ['a', 0b10n],
      ['b', 0b110n],
    ],
    0b10n,
    0b10n,
  ])
  for (const other of [rootOf('r'), excluded('x', term(a, 0b01n))]) expect(narrowTo(other, 0b10n)).toBe(other)
})

test('an exclusion is about the objects of users, and gives the search no choice', () => {
  const { given, choices, owner } = excluded('x', term(a, 0b01n), term(b, 0b01n))
  expect([given, choices, owner]).toEqual([true, [], undefined])
})

test('only a root requirement that says so is handled last', () => {
  expect([rootOf('r', true), rootOf('r'), required(term(a, 0b01n), [])].map(isLast)).toEqual([true, false, false])
})

test('a requirement is listed with its owner, an exclusion with its first package, a root requirement nowhere', () => {
  const each = [required(term(a, 0b01n), [term(b, 0b01n)]), excluded('x', term(b, 0b01n), term(c, 0b01n)), rootOf('r')]
  expect(each.map((external) => homeOf(external)?.id)).toEqual(['a', 'b', undefined])
})

test('root requirements come first, by id, then requirements by package and words, then exclusions', () => {
  const sorted = [
    rootOf('r1'),
    rootOf('r2'),
    required(term(a, 0b01n), [], false, 'w1'),
    required(term(a, 0b01n), [], false, 'w2'),
    required(term(b, 0b01n), [], false, 'w0'),
    excluded('x9', term(a, 0b01n)),
    excluded('x1', term(b, 0b01n)),
    excluded('x2', term(b, 0b01n)),
  ]
  expect([...sorted].reverse().sort(compareExternal)).toEqual(sorted)
})

test('packages that keep their version are asked first, but for those that rise; then the order of the ids counts', () => {
  const made = (id: string, keep?: number, rises?: boolean) => new SolverPackage({ id, versions: ['2', '1'], keep, rises })
  const order = [made('z', 1), made('a'), made('k', 0), made('c', 1, true)].sort(compareAsked)
  expect(order.map(({ id }) => id)).toEqual(['k', 'z', 'a', 'c'])
  const [first, second] = [made('a'), made('b')]
  first.order = 2
  second.order = 1
  expect(compareAsked(first, second)).toBeGreaterThan(0)
})
