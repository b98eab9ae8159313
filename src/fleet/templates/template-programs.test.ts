import { expect, test } from 'vitest'
import { CelError } from '../../cel/cel-error.ts'
import { celValue, prepareVariables } from '../../cel/variables.ts'
import type { JsonRecord } from '../../json.ts'
import { decodeTemplate } from '../../kinds/template.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { readFleet } from '../fleet.ts'
import { planOf, repository, resourceListOf } from '../testing/fleet-of-objects.ts'
import {
  SCOPE,
  SCOPE_OF_REPO_EXPR,
  TARGET_SCOPE,
  targetVariables,
  templateCompiler,
  variablesIn,
  variablesOf,
  withInputs,
} from './template-programs.ts'

const UPSTREAM = { repo: 'catalog', package: 'app', revision: 2 }

function matrixOf(spec: JsonRecord): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams: [UPSTREAM], targets: [{ repositorySelector: {} }], ...spec },
  }
}

const INPUTS = { inputs: [{ name: 'site', object: { apiVersion: 'x.org/v1', kind: 'Site', name: 's' } }] }
const SITE = { apiVersion: 'x.org/v1', kind: 'Site', metadata: { name: 's' }, spec: { open: true } }

function setOfMatrix(spec: JsonRecord): VariantSet {
  const set = planOf([matrixOf(spec)]).sets[0]?.set
  if (set === undefined) throw new Error('must be a matrix without faults')
  return set
}

const compiler = () => templateCompiler(readFleet([]))

const template = decodeTemplate(
  {
    downstream: { repoExpr: "'r'", packageExpr: "'p'" },
    labelExprs: [{ keyExpr: "'k'", valueExpr: 'repository.' }],
    annotationExprs: [{ key: 'fixed', valueExpr: "'v'" }],
  },
  ['template'],
)
const PLAIN = { repoExpr: SCOPE_OF_REPO_EXPR, others: SCOPE, target: TARGET_SCOPE }

test('the expressions of a template are in the order of evaluation, those that do not compile among them', () => {
  const { order, programs, broken } = compiler().programsOf(template, PLAIN)
  expect(order.map(({ text }) => text)).toEqual(["'r'", "'p'", "'k'", 'repository.', "'v'"])
  expect([...broken.keys()].map(({ text }) => text)).toEqual(['repository.'])
  expect([...programs].map(([{ text }, program]) => [text, program.evaluate(new Map())])).toEqual([
    ["'r'", 'r'],
    ["'p'", 'p'],
    ["'k'", 'k'],
    ["'v'", 'v'],
  ])
})

test('the repository is a variable of every expression but repoExpr', () => {
  const sides = { downstream: { repoExpr: 'repository.name', packageExpr: 'repository.name' } }
  const { broken } = compiler().programsOf(decodeTemplate(sides, []), PLAIN)
  expect([...broken.keys()].map(({ path }) => path)).toEqual([['downstream', 'repoExpr']])
})

test('a template is compiled once in a run, and so is an expression for each list of variables', () => {
  const { programsOf, expressionOf, conditionOf } = compiler()
  expect(programsOf(template, PLAIN)).toBe(programsOf(template, PLAIN))
  const expression = { text: "target.name == 'a' ? 'x' : 'y'", path: [] }
  expect(expressionOf(expression, SCOPE)).toBe(expressionOf({ ...expression, path: ['elsewhere'] }, SCOPE))
  expect(expressionOf(expression, SCOPE)).not.toBe(expressionOf(expression, TARGET_SCOPE))
  expect(expressionOf({ text: 'repository.name', path: [] }, SCOPE_OF_REPO_EXPR)).toBeInstanceOf(CelError)
  expect(expressionOf({ text: 'repository.name', path: [] }, SCOPE)).not.toBeInstanceOf(CelError)
  const condition = { text: "target.name == 'a'", path: [] }
  expect(conditionOf(condition, SCOPE)).toBe(conditionOf(condition, SCOPE))
})

test('the fault of an expression comes with advice, and a condition must give a bool', () => {
  const { expressionOf, conditionOf } = compiler()
  const advised = [expressionOf, conditionOf].map((compiled) => compiled({ text: 'targt.name', path: [] }, SCOPE))
  expect(advised.map((fault) => fault instanceof CelError && fault.hints.length > 0)).toEqual([true, true])
  expect(conditionOf({ text: "'text'", path: [] }, SCOPE)).toMatchObject({ phase: 'convert' })
})

test('each place of an expression has its variables', () => {
  const { expressionOf } = compiler()
  const known = (names: readonly string[]) =>
    ['repoDefault', 'packageDefault', 'upstream', 'target', 'repository', 'inputs'].filter(
      (name) => !(expressionOf({ text: `string(${name})`, path: [] }, names) instanceof CelError),
    )
  expect(known(SCOPE_OF_REPO_EXPR)).toEqual(['repoDefault', 'packageDefault', 'upstream', 'target'])
  expect(known(SCOPE)).toEqual(['repoDefault', 'packageDefault', 'upstream', 'target', 'repository'])
  expect(known(TARGET_SCOPE)).toEqual(['repoDefault', 'target', 'repository'])
})

test('a set without inputs has no variable for them, and a set with inputs has one in every expression', () => {
  const { scopeOf, expressionOf } = compiler()
  expect(scopeOf(setOfMatrix({}))).toEqual(PLAIN)
  const set = setOfMatrix(INPUTS)
  const scope = scopeOf(set)
  expect(scopeOf(set)).toBe(scope)
  const compiles = (text: string) =>
    [scope.repoExpr, scope.others, scope.target].map((each) => !(expressionOf({ text, path: [] }, each) instanceof CelError))
  expect(compiles('inputs.site.spec.x')).toEqual([true, true, true])
  expect(compiles('inputs.other.spec.x')).toEqual([false, false, false])
  expect(compiles('packageDefault')).toEqual([true, true, false])
  expect(compiles('repository.name')).toEqual([false, true, true])
})

test('an input has the type that the definition of its kind in the fleet gives', () => {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { open: { type: 'boolean' } } } } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.x.org' },
    spec: {
      group: 'x.org',
      names: { kind: 'Site' },
      versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: schema } }],
    },
  }
  const { scopeOf, conditionOf } = templateCompiler(readFleet(resourceListOf([definition]).items))
  const { others } = scopeOf(setOfMatrix(INPUTS))
  expect(conditionOf({ text: 'inputs.site.spec.open', path: [] }, others)).not.toBeInstanceOf(CelError)
  expect(conditionOf({ text: 'inputs.site.spec.opn', path: [] }, others)).toBeInstanceOf(CelError)
})

/** Returns the first place of a matrix, and its fleet. */
function placeOf(spec: JsonRecord, ...objects: readonly JsonRecord[]) {
  const { sets, fleet } = planOf([matrixOf(spec), ...objects])
  const place = sets[0]?.draft?.rendered[0]?.place
  if (place === undefined) throw new Error('must be a matrix with a place')
  return { place, repositories: fleet.repositories('default') }
}

const REVISION = {
  apiVersion: 'porch.kpt.dev/v1alpha1',
  kind: 'PackageRevision',
  metadata: { name: 'catalog.app.v2', namespace: 'default' },
  spec: { repository: 'catalog', packageName: 'app', revision: 2, workspaceName: 'v2', lifecycle: 'Published' },
}

test('a place has variables for what is known, and none for what is not', () => {
  const { place, repositories } = placeOf({ ...INPUTS }, repository('a', { tier: 'gold' }), SITE, REVISION)
  expect([...variablesOf(place).keys()]).toEqual(['repoDefault', 'packageDefault', 'target', 'upstream', 'inputs'])
  const bare = placeOf({}, repository('a', { tier: 'gold' })).place
  expect([...variablesOf(bare).keys()]).toEqual(['repoDefault', 'packageDefault', 'target'])
  expect([...variablesIn(bare, undefined).keys()]).not.toContain('repository')
  const both = compiler().expressionOf({ text: 'target.labels.tier + repository.labels.tier + upstream.name', path: [] }, SCOPE)
  if (both instanceof CelError) throw both
  expect(both.evaluate(variablesIn(place, repositories.get('a')))).toBe('goldgoldcatalog.app.v2')
  expect([...variablesOf(place).keys()]).not.toContain('repository')
})

test('the target of a listed place has its repository and package', () => {
  const { place } = placeOf({ targets: [{ repositories: [{ name: 'a', packageNames: ['web'] }] }] }, repository('a'))
  expect(variablesOf(place).get('target')).toEqual(celValue({ repo: 'a', package: 'web' }))
})

test('the variables of a target alone have the Repository that the target names', () => {
  const { place, repositories } = placeOf({}, repository('a', { tier: 'gold' }), repository('b', { tier: 'base' }))
  const text = "repoDefault + ' ' + (has(target.repo) ? target.repo : target.labels.tier) + ' ' + repository.labels.tier"
  const program = compiler().expressionOf({ text, path: [] }, TARGET_SCOPE)
  if (program instanceof CelError) throw program
  expect(program.evaluate(targetVariables(place, repositories))).toBe('a gold gold')
  expect(program.evaluate(targetVariables({ repoDefault: 'b', object: undefined }, repositories))).toBe('b b base')
  expect([...targetVariables({ repoDefault: 'none', object: undefined }, repositories).keys()]).toEqual(['repoDefault', 'target'])
})

test('inputs are added to the variables of a target that has some', () => {
  const variables = prepareVariables(new Map([['repoDefault', 'a']]))
  expect(withInputs(variables, undefined)).toBe(variables)
  const value = celValue({ site: { spec: {} } })
  expect([...withInputs(variables, { objects: new Map(), value })]).toEqual([...variables, ['inputs', value]])
})
