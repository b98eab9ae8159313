import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { PipelineFunction } from '../kinds/pipeline-schema.ts'
import { changePipeline } from './pipeline.ts'
import { linesOf, writtenPackage } from './testing/written-package.ts'

const HEAD = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n'
const CONFIG = 'apiVersion: v1\nkind: Any\nmetadata:\n  name: config\nspec:\n  mutators:\n  - image: a\n  validators:\n  - image: b\n'

interface Functions {
  readonly mutators?: readonly PipelineFunction[]
  readonly validators?: readonly PipelineFunction[]
}

/** Returns the Kptfile below its head after the functions of the variant `own` were prepended, and the results. */
function changed(rest: string, { mutators = [], validators = [] }: Functions = {}, files: Readonly<Record<string, string>> = {}) {
  const { pkg } = writtenPackage({ Kptfile: `${HEAD}${rest}`, ...files })
  const source = { object: writtenObject(CONFIG, 'config.yaml'), path: ['spec'] }
  const lines = linesOf(() => changePipeline(pkg, { owner: 'own', others: ['own.2'], functions: { mutators, validators }, source }))
  return { text: pkg.kptfile.toText().replace(HEAD, ''), lines }
}

const SET = { name: 'set', image: 'set:v1' }
const SET_WRITTEN = '  - name: PackageVariant.own.set.0\n    image: set:v1\n'

test.each([
  {
    rule: 'a Kptfile without a pipeline gets one',
    before: '',
    functions: { mutators: [SET] },
    after: `pipeline:\n  mutators:\n${SET_WRITTEN}`,
  },
  {
    rule: 'validators are written to their own list',
    before: '',
    functions: { validators: [SET] },
    after: `pipeline:\n  validators:\n${SET_WRITTEN}`,
  },
  {
    rule: 'functions of the variant come before those of the package',
    before: 'pipeline:\n  mutators:\n  - image: x # theirs\n',
    functions: { mutators: [SET] },
    after: `pipeline:\n  mutators:\n${SET_WRITTEN}  - image: x # theirs\n`,
  },
  {
    rule: 'a function that the variant no longer has is removed, and one of a variant with a longer name stays',
    before:
      'pipeline:\n  mutators:\n  - name: PackageVariant.own.old.0\n    image: old\n  - name: PackageVariant.own.2.x.0\n    image: x\n',
    functions: {},
    after: 'pipeline:\n  mutators:\n  - name: PackageVariant.own.2.x.0\n    image: x\n',
  },
  {
    rule: 'a function that is still wanted moves to the front with its comment, and several others are removed',
    before: `pipeline:\n  mutators:\n  - name: PackageVariant.own.a.0\n    image: a\n  - name: PackageVariant.own.b.1\n    image: b\n  - image: x # theirs\n  - name: PackageVariant.own.set.0\n    image: set:v0 # pinned\n`,
    functions: { mutators: [SET] },
    after: 'pipeline:\n  mutators:\n  - name: PackageVariant.own.set.0\n    image: set:v1 # pinned\n  - image: x # theirs\n',
  },
  {
    rule: 'a list that ends up empty is removed, and so is an empty pipeline',
    before: 'pipeline:\n  mutators:\n  - name: PackageVariant.own.old.0\n    image: old\n',
    functions: {},
    after: '',
  },
  {
    rule: 'a list that ends up empty is removed from a pipeline with another list',
    before: 'pipeline:\n  mutators:\n  - name: PackageVariant.own.old.0\n    image: old\n  validators:\n  - image: x\n',
    functions: {},
    after: 'pipeline:\n  validators:\n  - image: x\n',
  },
  {
    rule: 'an empty list is removed',
    before: 'pipeline:\n  mutators: []\n  validators:\n  - image: x\n',
    functions: {},
    after: 'pipeline:\n  validators:\n  - image: x\n',
  },
  { rule: 'an empty map is removed', before: 'pipeline: {}\n', functions: {}, after: '' },
  { rule: 'null as a pipeline is removed', before: 'pipeline:\n', functions: {}, after: '' },
  {
    rule: 'an empty pipeline with a comment of people is kept',
    before: 'pipeline: {} # of the region\n',
    functions: {},
    after: 'pipeline: {} # of the region\n',
  },
  {
    rule: 'an empty list with a comment of people is kept',
    before: 'pipeline:\n  mutators: [] # of the region\n',
    functions: {},
    after: 'pipeline:\n  mutators: [] # of the region\n',
  },
  {
    rule: 'an empty pipeline is removed from a Kptfile whose comments stand elsewhere',
    before: 'info: # of the shop\n  site: a#b\npipeline: {}\n',
    functions: {},
    after: 'info: # of the shop\n  site: a#b\n',
  },
  {
    rule: 'a number sign within a text is no comment',
    before: 'pipeline: {}\ninfo:\n  site: a#b\n',
    functions: {},
    after: 'info:\n  site: a#b\n',
  },
])('$rule', ({ before, functions, after }) => {
  expect(changed(before, functions).text).toBe(after)
})

test('a second run changes nothing', () => {
  const functions = { mutators: [SET, { image: 'b' }], validators: [{ exec: 'c' }] }
  const { text } = changed('pipeline:\n  mutators:\n  - image: x\n', functions)
  expect(changed(text, functions).text).toBe(text)
})

test.each([
  {
    rule: 'the info counts the functions of the variant among all functions of each list',
    before: 'pipeline:\n  mutators:\n  - image: x\n  - image: y\n',
    functions: { mutators: [SET], validators: [SET] },
    says: '1 of 3 mutators and 1 of 1 validators of the pipeline come from PackageVariant',
  },
  {
    rule: 'the info leaves out a list without functions',
    before: 'pipeline:\n  validators:\n  - image: x\n',
    functions: {},
    says: '0 of 1 validators of the pipeline come from PackageVariant',
  },
  {
    rule: 'the info of a pipeline without functions says that none comes from the variant',
    before: '',
    functions: {},
    says: 'no function of the pipeline comes from PackageVariant',
  },
])('$rule', ({ before, functions, says }) => {
  expect(changed(before, functions).lines).toEqual([`Kptfile: info: ${says} 'own' [prepend-pipeline]`])
})

test('a comment that is lost with a function is a warning after the info', () => {
  const { lines } = changed('pipeline:\n  mutators:\n  - name: PackageVariant.own.old.0\n    image: old # pinned\n  - image: x\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('[prepend-pipeline]')
  expect(lines[1]).toContain("has the comment '# pinned' here, which is lost")
})

test('each function that kpt refuses is an error at its place in the config, and the Kptfile is unchanged', () => {
  const files = { 'setters.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: setters\n' }
  const functions = { mutators: [SET, { name: 'a' }], validators: [{ image: 'b', configPath: 'setter.yaml' }] }
  const before = 'pipeline:\n  mutators: []\n'
  const { text, lines } = changed(before, functions, files)
  expect(lines.map((line) => line.replace(/^config\.yaml:\d+:\d+: /, ''))).toEqual([
    "error: `spec.mutators[1]` must have 'image' or 'exec' [function-program]",
    "error: `spec.validators[0].configPath` must be a file of the package, got 'setter.yaml'; did you mean 'setters.yaml'? [function-config-path]",
  ])
  expect(text).toBe(before)
})

test('a Kptfile whose lists have another shape is refused', () => {
  expect(changed('pipeline:\n  mutators: x\n  validators:\n  - y\n').lines).toEqual([
    "Kptfile:6:13: error: `pipeline.mutators` must be a list in a Kptfile, got 'x' [kptfile]",
    "Kptfile:8:5: error: `pipeline.validators[0]` must be a map in a Kptfile, got 'y' [kptfile]",
  ])
})
