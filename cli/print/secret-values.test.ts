import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { randomRuns } from '../../testdata/random-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const VARIANTS = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge, package: web}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: objects}
spec:
  forEach: objects
  where: item.kind == 'Secret' && has(item.stringData)
  validations:
  - {expression: 'false', messageExpression: "'got ' + string(item.stringData.password)"}
  - {expression: int(item.stringData.a) > 1}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: packages}
spec:
  forEach: packages
  validations: [{expression: 'false', messageExpression: "'got ' + item.objects.filter(o, o.kind == 'Secret').map(o, string(o.?stringData.?a.orValue(''))).join(' ')"}]
`

/** Returns a Kptfile whose functions write into Secrets too, and report what they do; setters give a Secret values. */
const kptfile = (revision: number, setter: string) => `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - image: set-annotations:v0.1
    configMap: {revision: "${revision}"}
  - image: apply-setters:v0.2
    configMap: {password: ${JSON.stringify(setter)}, host: db.example.com}
  - image: apply-setters:v0.2
    configPath: setters.yaml
  - image: search-replace:v0.2
    configMap:
      by-value-regex: (marked.*)
      put-value: replaced-\${1}
    selectors: [{name: replaced}]
`

/** Returns the setters of a package in a ConfigMap, and a Secret and a ConfigMap of which setters and a replacement give the values. */
const setFiles = (setter: string, copied: string) => ({
  'setters.yaml': stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'setters' }, data: { token: setter } }),
  'set.yaml': `apiVersion: v1
kind: Secret
metadata: {name: set}
stringData:
  password: x # kpt-set: \${password}
  token: x # kpt-set: \${token}
  url: x # kpt-set: https://user:\${password}@\${host}/
  copied: ${JSON.stringify(copied)}
`,
  'source.yaml': `${stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'source' }, data: { copied, text: `token = ${copied}\n` } })}`,
})

/** The ways in which a file has a Secret. */
const FORMS: readonly ((name: string, data: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>)[] = [
  (name, data) => ({ [`${name}.yaml`]: stringify(secretOf(name, data)) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(secretOf(name, encoded(data), 'data')) }),
  (name, data) => ({ [`${name}.yaml`]: stringify({ apiVersion: 'v1', kind: 'List', metadata: { name }, items: [secretOf(name, data)] }) }),
  (name, data) => ({
    [`${name}.yaml`]: stringify({
      apiVersion: 'v1',
      kind: 'SecretList',
      metadata: { name },
      items: [secretOf(name, encoded(data), 'data')],
    }),
  }),
  (name, data) => ({ [`${name}.json`]: JSON.stringify(secretOf(name, data)) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(applied(secretOf(name, data))) }),
  (name, data) => ({ [`${name}.yaml`]: stringify(noted(secretOf(name, encoded(data), 'data'), Object.values(data).join(' '))) }),
  (name, data) => ({ [`${name}.yaml`]: `${JSON.stringify(secretOf(name, data))}\n` }),
  (name, data) => ({ [`${name}.yaml`]: anchored(stringify(secretOf(name, data))) }),
  (name, data) => ({
    [`${name}.yaml`]: `${anchored(stringify(secretOf(name, data))).replace('stringData:', 'stringData: &all')}data: *all\n`,
  }),
  (name, data) => ({ [`${name}.yaml`]: commented(stringify(secretOf(name, data)), Object.values(data)) }),
  (name, data) => ({
    [`${name}.yaml`]: `${commented(stringify(secretOf(name, data)), Object.values(data))}---\n${stringify(other(name))}`,
  }),
]

/** Forms that are no YAML, or that no reader takes for a Secret: as people may leave a file. */
const BROKEN: readonly ((text: string) => string)[] = [
  (text) => `${text}spec\n`,
  (text) => text.replace('metadata:', '  metadata:'),
  (text) => `${text}<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`,
  (text) => text.replace(/^/gm, '# '),
  (text) => text.replace('stringData:', 'stringData: *unknown\nstringData:'),
]

/** Returns a Secret whose first value is in an anchor above. */
function anchored(text: string): string {
  const value = /stringData:\n\s+\S+: (?![|>])(.*)\n/.exec(text)?.[1]
  if (value === undefined) return text
  return text.replace('metadata:\n', `metadata:\n  annotations: {team: &value ${value}}\n`).replace(/(stringData:\n\s+\S+: ).*/, '$1*value')
}

/** Returns a Secret with comments that hold its values, and others, at every place. */
function commented(text: string, values: readonly unknown[]): string {
  const note = `# old: ${values.map((value) => JSON.stringify(value)).join(' ')} and markedold1`
  const lines = text
    .split('\n')
    .flatMap((line) => [
      ...(line === '' || /^ {4}/.test(line) ? [] : [`${/^ */.exec(line)?.[0]}${note}`]),
      /: \S+$/.test(line) && !/[|>][-+]?$/.test(line) ? `${line} ${note}` : line,
    ])
  return `--- ${note}\n${lines.join('\n')}${note}\n`
}

const other = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-other` }, data: { a: 'b' } })

const secretOf = (name: string, data: unknown, field = 'stringData') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  [field]: data,
})
const encoded = (data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]))
const noted = (secret: ReturnType<typeof secretOf>, note: string) => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { note } },
})
const applied = (secret: ReturnType<typeof secretOf>) => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(secret) } },
})

const value = fc.oneof(
  fc.stringMatching(/^marked[a-z0-9]{6}$/),
  fc.stringMatching(/^marked[a-z0-9]{6}(: [#'"]| - |\n)[a-z]{3}$/),
  fc.integer({ min: 760_000_000, max: 769_999_999 }),
)
const data = fc.dictionary(fc.constantFrom('a', 'password', 'x.y'), value, { minKeys: 1 })
const secrets = fc.array(fc.record({ name: fc.constantFrom('one', 'two', 'replaced'), data, form: fc.nat(FORMS.length - 1) }), {
  minLength: 1,
  maxLength: 4,
})

const setters = fc.array(fc.stringMatching(/^marked[a-z]{4}\d[a-z0-9]{3}$/), { minLength: 4, maxLength: 4 })
const damages = fc.option(fc.record({ at: fc.nat(9), by: fc.constantFrom(...BROKEN) }), { nil: undefined })

/** A program that repeats on stderr and in its results what it gets, and changes a Secret. */
const LEAK = `import { readFileSync } from 'node:fs'
const text = readFileSync(0, 'utf8')
const words = text.match(/marked\\w+|bWFya2Vk[\\w=]+|76\\d{7}|NzY\\w{9}/g) ?? []
process.stderr.write('got ' + words.join(' ') + '\\n')
const results = words.map((word) => ({ message: 'found ' + word, severity: process.argv[2] === 'fail' ? 'error' : 'info', field: { path: 'data.a', currentValue: word } }))
process.stdout.write(text.trimEnd() + '\\nresults: ' + JSON.stringify(results) + '\\n')
process.exit(process.argv[2] === 'fail' ? 1 : 0)
`
const leak = (how: string) => ['--function', `set-annotations:v0.1=node ../leak.mjs ${how}`]

const filesOf = (all: typeof secrets extends fc.Arbitrary<infer T> ? T : never) =>
  Object.assign({}, ...all.map(({ name, data: own, form }) => FORMS[form]?.(name, own)))

const COMMANDS: readonly (readonly string[])[] = [
  ...['text', 'markdown', 'json', 'html', 'sarif', 'github'].map((format) => ['diff', 'start', '.', '--format', format]),
  ['diff', 'start', '.', '--unified', '--comments'],
  ...['text', 'json', 'sarif', 'github', 'junit'].map((format) => ['check', '.', '--format', format]),
  ['render', '.', '--out', '.', '--dry-run', '--diff'],
  ['render', '.', '--out', '.', '--dry-run', '--format', 'json'],
  ['outdated', '.', '--format', 'json'],
  ...['text', 'json', 'markdown', 'html'].map((format) => ['plan', '--format', format, '.']),
  ['graph', '--format', 'html', '.'],
  ['explain', 'ConfigMap/source.data.text', '.'],
  ['explain', 'Secret/set.stringData.url', '.'],

  ['explain', 'web', '.'],
  ['explain', 'Secret/one', '.'],
  ['explain', 'Secret/one.stringData.a', '.'],
  ['explain', '--behind', '.'],
  ['explain', '--functions', 'edge/web', '.'],
  ['explain', '--missing', 'Secret/two', '.'],
  ...['rings', 'outdated', 'graph', 'outdated --write --dry-run'].map((command) => [...command.split(' '), '.']),
  ...['resolve', 'simulate'].map((command) => [command, '--dry-run', '.']),
  ['sync', '--for', 'flux', '--dry-run', '.'],
  ['cel', 'target.name', '.'],
  ['run', 'edge/web', '--dry-run', '--diff'],
  ...['', 'fail'].flatMap((how) => [
    ['run', 'edge/web', '--dry-run', ...leak(how)],
    ['run', 'edge/web', '--dry-run', '--diff', ...leak(how)],
    ['render', '.', '--out', '.', '--dry-run', ...leak(how)],
  ]),
  ['run', 'edge/web', '--status', '--diff', ...leak('fail')],
  ['render', '.', '--out', '.', '--format', 'json'],
  ['check', '--fix', '.'],
  ['check', '--unsafe-fixes', '.'],
  ['fn', 'set-labels', 'edge/web', '--write', '--', 'team=shop'],
  ['fn', 'search-replace', 'edge/web', '--', 'by-value-regex=(mark.*)', 'put-value=x${1}'],
]

let count = 0

test('no command prints a value of a Secret, in any format', async () => {
  let notShown = 0
  await fc.assert(
    fc.asyncProperty(secrets, secrets, secrets, damages, setters, async (before, after, edited, damage, set) => {
      const fleet = new TestRepository(join(folder, String(count++)))
      fleet.write('set.yaml', VARIANTS)
      for (const [revision, all] of [
        [1, before],
        [2, after],
      ] as const) {
        const [own, copied] = [set[revision] ?? '', set[0] ?? '']
        fleet.write(`catalog/web@v${revision}/Kptfile`, kptfile(revision, own))
        for (const [path, file] of Object.entries({ ...filesOf(all), ...setFiles(set[revision + 1] ?? '', copied) }))
          fleet.write(`catalog/web@v${revision}/${path}`, String(file))
      }
      await fleet.run('render', '.', '--out', '.')
      const files = Object.entries(filesOf(edited))
      for (const [at, [path, file]] of files.entries())
        fleet.write(`edge/web/${path}`, damage?.at === at ? damage.by(String(file)) : String(file))
      writeFileSync(join(folder, 'leak.mjs'), LEAK)
      fleet.commit('start')
      fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
      for (const args of COMMANDS) {
        const { stdout, stderr } = await fleet.run(...args)
        const shown = /.{0,80}(?:marked[a-z0-9]{3}|bWFya2Vk|\b76\d{7}\b|\bNzY\w{9}\b).{0,80}/.exec(stdout + stderr)
        expect([args.join(' '), shown?.[0]]).toEqual([args.join(' '), undefined])
        notShown += (stdout + stderr).split('not-shown').length - 1
      }
    }),
    { numRuns: randomRuns(1), endOnFailure: true },
  )
  expect(notShown).toBeGreaterThan(0)
})

test('the results of a function name no value of a Secret, also where another object of the list has it', async () => {
  const objects = [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'marked-Hunter2x' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { password: 'marked-Hunter2x' } },
  ]
  const list = stringify({ apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items: objects })
  const input = list.replaceAll('password: marked-Hunter2x', 'password: marked-Hunter2x # kpt-set: ${password}')
  const { stdout, stderr } = await recordRun(folder, ['fn', 'list-setters'], { read: async () => input })
  const [items, results] = stdout.split('\nresults:')
  expect([items, results]).toEqual([expect.stringContaining('marked-Hunter2x'), expect.stringContaining('not-shown')])
  expect(`${results}${stderr}`).not.toContain('marked-Hunter2x')
})
