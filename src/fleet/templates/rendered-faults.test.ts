import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import { list, planOf, repository, setOf, variant, type Written } from '../testing/fleet-of-objects.ts'

const SELECTOR = { repositorySelector: {} }

/** Returns the findings about what the targets of a set render, without their places. */
function linesOf(targets: readonly JsonRecord[], objects: readonly Written[] = [repository('a'), repository('b')]): readonly string[] {
  const results = planOf([setOf(targets), ...objects]).results.filter(
    ({ severity, tags }) => severity !== 'info' && tags.rule !== 'deletion-guard',
  )
  return results.map((result) => formatResult(result).replace(/^fleet\S+ /, ''))
}

const withTemplate = (target: JsonRecord, template: JsonRecord): JsonRecord => ({ ...target, template })
const AT = 'spec.targets[0].template'

test.each([
  { field: 'repo', expression: 'repoExpr' },
  { field: 'package', expression: 'packageExpr' },
])('an expression that gives an empty $field is one error for all places', ({ expression }) => {
  expect(linesOf([withTemplate(SELECTOR, { downstream: { [expression]: "''" } })])).toEqual([
    `error: \`${AT}.downstream.${expression}\` must not be empty [empty-downstream]`,
  ])
})

test('a name whose expression fails is no empty name', () => {
  const lines = linesOf([withTemplate(SELECTOR, { downstream: { packageExpr: 'target.labels.none' } })])
  expect(lines).toEqual([expect.stringContaining('[expression-eval]')])
})

const start = "must name a Repository of the list in the set's namespace, got"

test.each<{ rule: string; targets: readonly JsonRecord[]; objects?: readonly Written[]; lines: readonly string[] }>([
  {
    rule: 'a repository in a template',
    targets: [withTemplate(list('a'), { downstream: { repo: 'edge-1' } })],
    objects: [repository('edge-2'), repository('elsewhere')],
    lines: [`error: \`${AT}.downstream.repo\` ${start} 'edge-1'; did you mean 'edge-2'? [repository-not-found]`],
  },
  {
    rule: 'a listed repository of a target with a template, at its entry',
    targets: [withTemplate(list('a', 'far-away'), { labels: { x: 'y' } })],
    lines: [`error: \`spec.targets[0].repositories[1].name\` ${start} 'far-away' [repository-not-found]`],
  },
  {
    rule: 'a repository that an expression gives, with the places of three of the names',
    targets: [withTemplate(SELECTOR, { downstream: { repoExpr: "'far-' + repoDefault" } })],
    objects: ['a', 'b', 'c', 'd'].map((name) => repository(name)),
    lines: [
      `error: \`${AT}.downstream.repoExpr\` ${start} 'far-a' for Repository a, 'far-b' for Repository b, 'far-c' for Repository c and 1 more [repository-not-found]`,
    ],
  },
  {
    rule: 'the name of an object that is no Repository',
    targets: [withTemplate({ objectSelector: { apiVersion: 'x.org/v1', kind: 'Site' } }, { labels: { x: 'y' } })],
    objects: [repository('far-away'), { apiVersion: 'x.org/v1', kind: 'Site', metadata: { name: 's' } }],
    lines: [
      `error: \`spec.targets[0].objectSelector\` ${start} 's' for Site s, whose name is the default of downstream.repo [repository-not-found]`,
    ],
  },
  {
    rule: 'a repository to which variants of the list still go',
    targets: [withTemplate(list('a'), { downstream: { repo: 'aa' } })],
    objects: [repository('a'), variant('old', 'aa')],
    lines: [
      `error: \`${AT}.downstream.repo\` ${start} 'aa', which is not there any more: variants of the list still go to it [repository-not-found]`,
    ],
  },
  {
    rule: 'no repository where the list has no Repository',
    targets: [withTemplate(list('a'), { labels: { x: 'y' } })],
    objects: [],
    lines: [],
  },
])('a repository that is not there is an error: $rule', ({ targets, objects, lines }) => {
  expect(linesOf(targets, objects)).toEqual(lines)
})

test.each<{ rule: string; template: JsonRecord; lines: readonly string[] }>([
  {
    rule: 'a package that is no path, each value once',
    template: { downstream: { packageExpr: "'../x'" } },
    lines: [
      `error: \`${AT}.downstream.packageExpr\` must be a package path, parts joined by '/' and none of them empty, '.' or '..', got '../x' [package-path]`,
    ],
  },
  {
    rule: 'a package in folders is a path, and no name of a variant of a set',
    template: { downstream: { packageExpr: "'x/y'" } },
    lines: [expect.stringMatching(/\[variant-name\]$/)],
  },
  {
    rule: 'a reserved key of the context that an expression gives',
    template: { packageContext: { dataExprs: [{ keyExpr: "'name'", value: 'x' }] } },
    lines: [
      expect.stringMatching(
        /^error: `spec\.targets\[0\]\.template\.packageContext\.dataExprs\[0\]\.keyExpr` .*'name'.*\[reserved-context-key\]$/,
      ),
    ],
  },
  {
    rule: 'a reserved key that an expression removes',
    template: { packageContext: { removeKeyExprs: ["'package-path'"] } },
    lines: [
      expect.stringMatching(
        /^error: `spec\.targets\[0\]\.template\.packageContext\.removeKeyExprs\[0\]` .*'package-path'.*\[reserved-context-key\]$/,
      ),
    ],
  },
  {
    rule: 'a value of the context may be a reserved key',
    template: { packageContext: { dataExprs: [{ key: 'x', valueExpr: "'name'" }], removeKeyExprs: ["'y'"] } },
    lines: [],
  },
  {
    rule: 'a label key that an expression gives',
    template: { labelExprs: [{ keyExpr: "'a b'", value: 'x' }] },
    lines: [
      `warning: \`${AT}.labelExprs[0].keyExpr\` must give a label key such as 'env' or 'example.com/env', got 'a b' for Repository a, 'a b' for Repository b; an API server refuses the package revision [label-key]`,
    ],
  },
  {
    rule: 'a label value that an expression gives',
    template: { labelExprs: [{ key: 'x', valueExpr: "repoDefault + ' b'" }] },
    lines: [
      `warning: \`${AT}.labelExprs[0].valueExpr\` must give a label value: at most 63 of A-Z, a-z, 0-9, '-', '_' and '.', beginning and ending with a letter or digit, got 'a b' for Repository a, 'b b' for Repository b; an API server refuses the package revision [label-value]`,
    ],
  },
  {
    rule: 'an annotation key that an expression gives, whose value may be any text',
    template: {
      annotationExprs: [
        { keyExpr: "'a b'", value: 'x y' },
        { key: 'fine', valueExpr: "'x y'" },
      ],
    },
    lines: [
      `warning: \`${AT}.annotationExprs[0].keyExpr\` must give an annotation key such as 'env' or 'example.com/env', got 'a b' for Repository a, 'a b' for Repository b; an API server refuses the package revision [annotation-key]`,
    ],
  },
  { rule: 'an empty label value is fine', template: { labelExprs: [{ key: 'x', valueExpr: "''" }] }, lines: [] },
])('$rule', ({ template, lines }) => {
  expect(linesOf([withTemplate(SELECTOR, template)])).toEqual(lines)
})

test('faults of one rule at two fields are two results', () => {
  const target = withTemplate(SELECTOR, {
    labelExprs: [
      { keyExpr: "'a b'", value: 'x' },
      { keyExpr: "'c d'", value: 'x' },
    ],
  })
  expect(linesOf([target]).map((line) => /`(.*?)`/.exec(line)?.[1])).toEqual([`${AT}.labelExprs[0].keyExpr`, `${AT}.labelExprs[1].keyExpr`])
})
