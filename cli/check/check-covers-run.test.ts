import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { randomRuns } from '../../testdata/random-runs.ts'

type Files = Readonly<Record<string, string>>

/** Runs a command on the files of a package. */
async function outcome(files: Files, args: readonly string[]): Promise<{ readonly exitCode: number; readonly said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'p', path)), { recursive: true })
      writeFileSync(join(folder, 'p', path), text)
    }
    const { exitCode, stdout, stderr } = await recordRun(folder, args)
    return { exitCode, said: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const run = (files: Files) => outcome(files, ['run', 'p', '--dry-run'])
const check = (files: Files) => outcome(files, ['check', 'p'])

const kptfile = (...functions: readonly string[]) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n${functions.map((fn) => `  - ${fn}\n`).join('')}`
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: b}\n'
const REPLACEMENTS =
  'apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyReplacements\nmetadata: {name: r, annotations: {config.kubernetes.io/local-config: "true"}}\nreplacements:\n'

const image = (name: string) => `image: gcr.io/kpt-fn/${name}`

test.each<readonly [string, Files, string]>([
  [
    'a config file with two resources',
    { Kptfile: kptfile(`{${image('apply-setters:v0.2.0')}, configPath: two.yaml}`), 'two.yaml': `${CONFIG_MAP}---\n${CONFIG_MAP}` },
    'function-config-path',
  ],
  [
    'a config file of a subpackage',
    {
      Kptfile: kptfile(`{${image('apply-setters:v0.2.0')}, configPath: sub/cm.yaml}`),
      'sub/Kptfile': 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: sub}\n',
      'sub/cm.yaml': CONFIG_MAP,
    },
    'function-config-path',
  ],
  [
    'a config of another kind',
    { Kptfile: kptfile(`{${image('apply-replacements:v0.1.1')}, configPath: cm.yaml}`), 'cm.yaml': CONFIG_MAP },
    'function-config',
  ],
  [
    'a config without a required value',
    { Kptfile: kptfile(`{${image('set-image:v0.1.1')}, configMap: {name: web}}`), 'cm.yaml': CONFIG_MAP },
    'required',
  ],
  ['a function without its config', { Kptfile: kptfile(`{${image('set-namespace:v0.4.1')}}`), 'cm.yaml': CONFIG_MAP }, 'function-config'],
  [
    'a Kptfile of an older API',
    { Kptfile: 'apiVersion: kpt.dev/v1alpha1\nkind: Kptfile\nmetadata: {name: p}\n', 'cm.yaml': CONFIG_MAP },
    'kptfile',
  ],
  [
    'a Kptfile of another kind',
    { Kptfile: 'apiVersion: kpt.dev/v1\nkind: KptFile\nmetadata: {name: p}\n', 'cm.yaml': CONFIG_MAP },
    'kptfile',
  ],
  ['an image that is no image', { Kptfile: kptfile(`{image: 'Set Labels', configMap: {a: b}}`), 'cm.yaml': CONFIG_MAP }, 'function-image'],
  [
    'a function that its resources stop',
    {
      Kptfile: kptfile(`{${image('apply-replacements:v0.1.1')}, configPath: r.yaml}`),
      'r.yaml': `${REPLACEMENTS}- {source: {kind: Service}, targets: [{select: {kind: ConfigMap}}]}\n`,
      'cm.yaml': CONFIG_MAP,
    },
    'function-failed',
  ],
  [
    'a second function that an earlier one stops',
    {
      Kptfile: kptfile(`{${image('apply-setters:v0.2.0')}, configMap: {tag: ''}}`, `{${image('set-image:v0.1.1')}, configPath: i.yaml}`),
      'i.yaml':
        'apiVersion: fn.kpt.dev/v1alpha1\nkind: SetImage\nmetadata: {name: i}\nimage:\n  name: web\n  newTag: v1 # kpt-set: ${tag}\n',
    },
    'function-failed',
  ],
  [
    'a file that is no resource, in a package without functions',
    { Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n', 'values.yaml': 'replicas: 1\n' },
    'not-a-resource',
  ],
])('check and run both refuse %s', async (_, files, rule) => {
  expect((await run(files)).exitCode).toBe(1)
  const found = await check(files)
  expect(found).toMatchObject({ exitCode: 1 })
  expect(found.said).toContain(`[${rule}]`)
})

test.each<readonly [string, Files, string]>([
  [
    'numbers and booleans without quotes',
    { Kptfile: kptfile(`{${image('set-labels:v0.2.0')}, configMap: {team: 007, on: true}}`), 'cm.yaml': CONFIG_MAP },
    'wrong-type',
  ],
  [
    'fields of a config that the function ignores',
    {
      Kptfile: kptfile(`{${image('set-labels:v0.2.0')}, configPath: l.yaml}`),
      'l.yaml': 'apiVersion: fn.kpt.dev/v1alpha1\nkind: SetLabels\nmetadata: {name: l}\nlabels: {a: b}\nlabel: {c: d}\n',
    },
    'unknown-field',
  ],
  [
    'a value that an earlier function puts into a config',
    {
      Kptfile: kptfile(`{${image('apply-setters:v0.2.0')}, configMap: {tag: v2}}`, `{${image('set-image:v0.1.1')}, configPath: i.yaml}`),
      'i.yaml':
        'apiVersion: fn.kpt.dev/v1alpha1\nkind: SetImage\nmetadata: {name: i}\nimage: {name: web, newTag: "" } # no tag\nadditionalImageField: []\n'.replace(
          '"" }',
          '"" # kpt-set: ${tag}\n  }',
        ),
    },
    'unknown-field',
  ],
])('check warns of %s, which run accepts', async (_, files, rule) => {
  expect((await run(files)).exitCode).not.toBe(1)
  const found = await check(files)
  expect(found).toMatchObject({ exitCode: 0 })
  expect(found.said).toContain(`[${rule}]`)
})

const IMAGES = [
  'apply-replacements:v0.1.1', 'apply-setters:v0.2.0', 'apply-setters:v0.1.1', 'create-setters:v0.1.0', 'ensure-name-substring:v0.2.0',
  'list-setters:v0.1.0', 'remove-local-config-resources:v0.1.0', 'search-replace:v0.2.0', 'set-annotations:v0.1.4', 'set-image:v0.1.1',
  'set-labels:v0.2.0', 'set-labels:v0.1.5', 'set-namespace:v0.4.1', 'set-namespace:v0.2.0', 'starlark:v0.4.3',
] // biome-ignore format: a list of names

const KINDS = [
  'ConfigMap',
  'SetLabels',
  'SetImage',
  'SetNamespace',
  'ApplyReplacements',
  'ApplyReplacement',
  'EnsureNameSubstring',
  'SetAnnotations',
]
const FIELDS = ['data', 'labels', 'label', 'annotations', 'namespace', 'image', 'replacements', 'substring', 'fieldSpecs', 'options']
const VALUES = [
  '{}',
  '{a: b}',
  '{namespace: x}',
  '{name: web, newTag: v2}',
  '{name: "[", newTag: v2}',
  '{by-value: b, put-value: c}',
  '{prepend: x-}',
  'text',
  '[1]',
  '007',
  'true',
  'null',
  '[{source: {kind: ConfigMap}, targets: [{select: {kind: Service}, fieldPaths: [spec.a]}]}]',
  '"" # kpt-set: ${a}',
]

const config = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...VALUES)), {
      maxLength: 3,
      selector: ([field]) => field,
    }),
  })
  .map(
    ({ kind, fields }) =>
      `apiVersion: ${kind === 'ConfigMap' ? 'v1' : 'fn.kpt.dev/v1alpha1'}\nkind: ${kind}\nmetadata: {name: c}\n${fields.map(([field, value]) => `${field}: ${value}\n`).join('')}`,
  )

const PLACES = ['c.yaml', './c.yaml', 'two.yaml', 'sub/c.yaml', 'd/c.yaml', 'none.yaml', '/c.yaml', 'Kptfile', 'values.yaml', 'd/../c.yaml']
const functionOf = fc
  .record({
    image: fc.constantFrom(...IMAGES),
    config: fc.oneof(
      fc.constant(''),
      fc.constantFrom(...VALUES).map((value) => `, configMap: ${value.replace(/ #.*/, '')}`),
      fc.constantFrom(...PLACES).map((path) => `, configPath: ${path}`),
      fc.constant(', configRef: {kind: ConfigMap, name: cm}'),
    ),
    more: fc.constantFrom(
      '',
      '',
      '',
      ', selectors: [{kind: ConfigMap}]',
      ', selectors: [{labels: {a: 1}}]',
      ', exclude: [{kind: Service}]',
      ', when: \'resources.exists(r, r.kind == "ConfigMap")\'',
      ', when: nothing',
      ', selector: []',
    ),
  })
  .map(({ image, config, more }) => `{image: gcr.io/kpt-fn/${image}${config}${more}}`)

const RESOURCES = [
  CONFIG_MAP,
  'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: text, a: b # kpt-set: ${a}\n  }\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: old}\ndata: {b: c} # kpt-set: ${a}-${b}\n',
  'namespace: dev # kpt-set: ${namespace}\nresources: []\n',
  'replicas: 1\n',
  '- a list\n',
  '',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {config.kubernetes.io/local-config: "true"}}\nspec: {template: {spec: {containers: [{name: web, image: web:v1}]}}}\n',
]

const packages = fc
  .record({
    version: fc.constantFrom('v1', 'v1', 'v1', 'v1', 'v1', 'v1alpha2'),
    functions: fc.array(functionOf, { maxLength: 3 }),
    validators: fc.array(functionOf, { maxLength: 1 }),
    inner: fc.option(fc.array(functionOf, { maxLength: 1 }), { nil: undefined }),
    configs: fc.tuple(config, config, config),
    resources: fc.array(fc.constantFrom(...RESOURCES), { minLength: 1, maxLength: 3 }),
    kustomization: fc.boolean(),
    ignored: fc.constantFrom('', '', 'values.yaml\n', '0.yaml\n', 'c.yaml\n'),
  })
  .map(({ version, functions, validators, inner, configs, resources, kustomization, ignored }): Files => {
    const [first, second, third] = configs
    const list = (stage: string, entries: readonly string[]) =>
      entries.length === 0 ? '' : `  ${stage}:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`
    const pipeline = `${list('mutators', functions)}${list('validators', validators)}`
    return {
      Kptfile: `apiVersion: kpt.dev/${version}\nkind: Kptfile\nmetadata: {name: p}\n${pipeline === '' ? '' : `pipeline:\n${pipeline}`}`,
      'c.yaml': first,
      'd/c.yaml': second,
      'two.yaml': `${first}---\n${second}`,
      ...Object.fromEntries(resources.map((text, at) => [`${kustomization && at === 0 ? 'kustomization' : at}.yaml`, text])),
      ...(ignored !== '' && { '.krmignore': ignored, 'values.yaml': 'replicas: 1\n' }),
      ...(inner !== undefined && { 'sub/Kptfile': kptfile(...inner).replace(/pipeline:\n {2}mutators:\n$/, ''), 'sub/c.yaml': third }),
    }
  })

/** The rules of refusals that depend on the options of the command. */
const OF_OPTIONS = /\[(?:no-runner|exec-not-allowed|exec-unreadable)\]/

test('what run refuses because of files alone is an error of check, and check has no error for what run accepts', async () => {
  await fc.assert(
    fc.asyncProperty(packages, async (files) => {
      const ran = await run(files)
      const checked = await check(files)
      const said = `run: ${ran.said}\ncheck: ${checked.said}`
      if (ran.exitCode === 1 && !OF_OPTIONS.test(ran.said)) expect(checked.exitCode, said).toBe(1)
      if (ran.exitCode !== 1) expect(checked.exitCode, said).toBe(0)
    }),
    { numRuns: randomRuns(20) },
  )
}, 600_000)
