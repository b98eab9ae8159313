import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder } from '../../e2e/folder-copy.ts'
import { type RecordedRun, recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SHARDS = 4

function makeFleet(): string {
  const root = testFolder()
  for (const revision of [1, 2]) {
    const folder = join(root, `fleet/catalog/web@v${revision}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    writeFileSync(
      join(folder, 'deploy.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: deploy\ndata:\n  replicas: '${revision}'\n`,
    )
    writeFileSync(join(folder, 'notes.txt'), 'notes\n')
  }
  writeFileSync(
    join(root, 'fleet/by-hand.yaml'),
    '# by hand\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: web-site-1-web.more\n  namespace: fleet\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  downstream: {repo: hand, package: web}\n',
  )
  askFor(root, 1, 12)
  return root
}

function askFor(root: string, revision: number, sites: number): void {
  const repositories = Array.from(
    { length: sites },
    (_, site) =>
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: site-${site}\n  namespace: fleet\nspec:\n  type: git\n`,
  )
  writeFileSync(join(root, 'fleet/repositories.yaml'), repositories.join('---\n'))
  writeFileSync(
    join(root, 'fleet/set.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: fleet
spec:
  upstream: {repo: catalog, package: web, revision: ${revision}}
  targets:
  - repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}
    template:
      packageContext:
        dataExprs:
        - {key: site, valueExpr: repository.name}
      pipeline:
        mutators:
        - name: labels
          image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
          configMap: {a: b}
`,
  )
}

function run(root: string, ...args: readonly string[]): Promise<RecordedRun> {
  return recordRun(root, args)
}

function plan(root: string, shards = SHARDS): Promise<RecordedRun> {
  return run(root, 'plan', 'fleet', '--shards', String(shards), '--out', 'shards')
}

function renderShard(root: string, part: number, of = SHARDS): Promise<RecordedRun> {
  return run(root, 'render', 'fleet', '--plan', 'shards', '--shard', `${part}/${of}`, '--out', 'out')
}

async function renderShards(root: string): Promise<void> {
  expect((await plan(root)).exitCode).toBe(0)
  const runs = await Promise.all(Array.from({ length: SHARDS }, (_, part) => renderShard(root, part)))
  for (const { exitCode, stderr } of runs)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining('error') })
}

test('the shards of a plan together make, update and remove the packages that one run does, byte for byte', async () => {
  const [whole, parts] = [makeFleet(), makeFleet()]
  for (const [revision, sites] of [
    [1, 12],
    [2, 11],
  ] as const) {
    for (const root of [whole, parts]) askFor(root, revision, sites)
    await renderShards(parts)
    expect((await run(whole, 'render', 'fleet', '--out', 'out')).exitCode).toBe(0)
    expect(readFolder(join(parts, 'out'))).toEqual(readFolder(join(whole, 'out')))
    expect(readdirSync(join(parts, 'out')).length).toBe(sites + 1)
    for (const root of [whole, parts]) {
      const file = join(root, 'out/site-3/web/deploy.yaml')
      writeFileSync(file, `${readFileSync(file, 'utf8')}  mine: 'yes'\n`)
    }
  }
})

test('a shard reads no other shard, and no target', async () => {
  const root = makeFleet()
  await plan(root)
  expect(JSON.parse(readFileSync(join(root, 'shards/fleet.json'), 'utf8')).items.length).toBe(1)
  for (const part of [1, 2, 4]) rmSync(join(root, `shards/shard-${part}.json`))
  expect((await renderShard(root, 3)).exitCode).toBe(0)
  expect((await renderShard(root, 2)).stderr).toBe("krm-variants: 'shards/shard-2.json' must be a file that plan --shards wrote\n")
})

function edit(root: string, name: string, from: string | RegExp, to: string): void {
  const file = join(root, 'shards', name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

const HOSTILE: Readonly<Record<string, readonly [(root: string) => void, string]>> = {
  'of another version': [
    (root) => edit(root, 'fleet.json', '1.2.3', '6.6.6'),
    "'shards' has shards of version 6.6.6, this is 1.2.3: plan again with --shards",
  ],
  'with an unknown key': [(root) => edit(root, 'fleet.json', '"of":', '"more":1,"of":'), '`more` must not be in a file of shards'],
  'with a file outside of the fleet': [
    (root) => edit(root, 'fleet.json', '"set.yaml"', '"../../etc/passwd"'),
    "`files` must have paths in the folder of the fleet: '../../etc/passwd' must not have a part of dots or blanks alone, has '..'",
  ],
  'with a digest that is none': [
    (root) => edit(root, 'fleet.json', /"set.yaml":"[^"]*"/, '"set.yaml":"x"'),
    "`files` must be hexadecimal digits of a hash, got 'x'",
  ],
  'of another fleet': [
    (root) => edit(root, 'fleet.json', '"choices"', ' "choices"'),
    "'shards/shard-1.json' must be of the fleet of 'fleet.json' beside it: plan again with --shards",
  ],
  'under the name of another': [
    (root) => cpSync(join(root, 'shards/shard-2.json'), join(root, 'shards/shard-1.json')),
    "'shards/shard-1.json' must be shard 1, got 2",
  ],
  'with a variant that is no YAML': [(root) => edit(root, 'shard-1.json', /"text":"/, '"text":"{'), 'must be a YAML document'],
  'with text that is no JSON': [(root) => edit(root, 'shard-1.json', '{', ''), '`the file` must be a map'],
}

test.each(Object.keys(HOSTILE))('a shard %s is refused, and nothing is written', async (name) => {
  const root = makeFleet()
  await plan(root)
  const [change, message] = HOSTILE[name] ?? []
  change?.(root)
  const { exitCode, stdout, stderr } = await renderShard(root, 1)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(message)
  expect(existsSync(join(root, 'out'))).toBe(false)
})

test('a variant of a shard that leads out of the folder of packages is refused as in any fleet', async () => {
  const root = makeFleet()
  await plan(root, 1)
  edit(root, 'shard-1.json', /repo: site-1\\n/, 'repo: ..\\n')
  const { exitCode, stderr } = await renderShard(root, 1, 1)
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("must be the name of a folder, without '/' and not '.', '..'"),
  })
})

test('a shard of a fleet that changed since is refused with the file', async () => {
  const root = makeFleet()
  await plan(root)
  askFor(root, 2, 12)
  expect((await renderShard(root, 1)).stderr).toBe(
    "fleet/set.yaml: error: must be as it was for 'shards', changed; plan again with --shards [plan-outdated]\n",
  )
})

test('another number of shards, another folder of the fleet, and no shard at all are refused', async () => {
  const root = makeFleet()
  await plan(root)
  expect((await renderShard(root, 1, 5)).stderr).toContain('`--shard` must be one of 4, the number of shards')
  expect((await run(root, 'render', 'fleet', '--plan', 'shards', '--out', 'out')).stderr).toContain('name one with --shard I/N')
  cpSync(join(root, 'fleet'), join(root, 'copy'), { recursive: true })
  const others =
    "krm-variants: the folder and the options must be those that 'shards' was planned with: krm-variants render fleet --plan shards --shard 1/4; for others, plan again with --shards\n"
  for (const named of [['copy'], [], ['fleet', '--config', 'other.yaml']])
    expect((await run(root, 'render', ...named, '--plan', 'shards', '--shard', '1/4', '--out', 'out')).stderr).toBe(others)
})

test('the call with the folder and options of the shards is one that a shell reads, and is not shown of a text that is none', async () => {
  const root = makeFleet()
  cpSync(join(root, 'fleet'), join(root, "my 'own' fleet"), { recursive: true })
  writeFileSync(join(root, 'options.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: options\ndata:\n  discardEdits: "true"\n')
  const planned = await run(root, 'plan', "my 'own' fleet", '--shards', '4', '--config', 'options.yaml', '--out', 'shards')
  expect(planned).toMatchObject({ exitCode: 0, stderr: '' })
  const other = () => run(root, 'render', 'fleet', '--plan', 'shards', '--shard', '2/4', '--out', 'out')
  expect((await other()).stderr).toContain(
    "planned with: krm-variants render 'my '\\''own'\\'' fleet' --config options.yaml --plan shards --shard 2/4; for others",
  )
  for (const choices of ['[1]', '{}', 'no JSON']) {
    edit(root, 'fleet.json', /"choices":"(?:[^"\\]|\\.)*"/, `"choices":${JSON.stringify(choices)}`)
    expect((await other()).stderr).toContain("must be those that 'shards' was planned with: plan again with --shards\n")
  }
})

const POLICIES = [
  ['variants', 'item.spec.downstream.repo'],
  ['packages', 'item.repository.name'],
].map(
  ([each, repository]) =>
    `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata:\n  name: ${each}\nspec:\n  forEach: ${each}\n  validations:\n  - expression: ${repository} != 'site-5'\n    message: site-5 must have none\n`,
)

test('policies judge a fleet before its shards are written, as plan does', async () => {
  const root = makeFleet()
  expect((await run(root, 'render', 'fleet', '--out', 'fleet/out')).exitCode).toBe(0)
  for (const policy of POLICIES) {
    writeFileSync(join(root, 'fleet/policy.yaml'), policy)
    const { exitCode, stderr } = await plan(root)
    const [finding = ''] = stderr.split('\n')
    expect(finding).toContain('site-5 must have none')
    expect(exitCode).toBe(1)
    expect((await run(root, 'plan', 'fleet')).stderr).toContain(finding)
    expect(existsSync(join(root, 'shards'))).toBe(false)
    writeFileSync(join(root, 'fleet/policy.yaml'), policy.replace('    message:', '    severity: warning\n    message:'))
    expect(await plan(root)).toMatchObject({ exitCode: 0, stderr: `${finding.replace(': error:', ': warning:')}\n` })
    rmSync(join(root, 'shards'), { recursive: true })
  }
})

test('shards are refused with options about the plan that is not printed, and with those of render', async () => {
  const root = makeFleet()
  const refused = async (...options: readonly string[]): Promise<string> => {
    const { exitCode, stderr, stdout } = await run(root, 'plan', 'fleet', '--shards', '2', '--out', 'shards', ...options)
    expect({ exitCode, stdout, written: existsSync(join(root, 'shards')) }).toEqual({ exitCode: 1, stdout: '', written: false })
    return stderr
  }
  for (const options of [['--format', 'json'], ['--format', 'html'], ['--all'], ['--max-chars', '1000']])
    expect(await refused(...options)).toBe(`krm-variants: \`--shards\` must not come with ${options[0]}: it prints no plan\n`)
  expect(await refused('--offline', '--git-timeout', '5', '--packages', 'out', '--follow-renames')).toBe(
    'krm-variants: `--shards` must not come with --packages, --follow-renames, --offline, --git-timeout: render is given them for each shard\n',
  )
})

test('a folder with anything else takes no shards, and shards are replaced', async () => {
  const root = makeFleet()
  expect((await run(root, 'plan', 'fleet', '--shards', '2', '--out', 'fleet')).stderr).toBe(
    "krm-variants: `--out` must be a new or empty folder or earlier shards, 'fleet' is something else\n",
  )
  await plan(root)
  expect((await plan(root, 2)).stdout).toBe('13 variants in 2 shards in shards\n')
  expect(readdirSync(join(root, 'shards')).sort()).toEqual(['fleet.json', 'shard-1.json', 'shard-2.json', 'variants.txt'])
  expect(readdirSync(root).sort()).toEqual(['fleet', 'shards'])
  expect((await run(root, 'plan', 'fleet', '--shards', '2')).stderr).toContain('`--shards` must come with --out FOLDER')
  expect((await run(root, 'plan', 'fleet', '--shards', '0', '--out', 'shards')).exitCode).toBe(1)
})
