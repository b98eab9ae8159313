import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { testFolder } from '../testdata/test-folder.ts'
import { copyFolder } from './folder-copy.ts'
import { must } from './installed-package.ts'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

interface Comment {
  readonly id: number
  body: string
  /** The author, as GitHub names the field, and as GitLab does. */
  readonly user?: Account
  readonly author?: Account
}

interface Account {
  readonly id: number
  readonly login: string
  readonly type: string
}

/** The account of the token of a job of GitHub, and of an access token. */
const BOT: Account = { id: 41, login: 'github-actions[bot]', type: 'Bot' }
const OWN: Account = { id: 43, login: 'fleet', type: 'User' }

const TOKENS: ReadonlySet<unknown> = new Set(['Bearer secret', 'secret'])

/** Where GitHub and GitLab have all comments, and one, and how one is written anew. */
const PLACES = [
  { all: '/repos/green/fleet/issues/7/comments', one: '/repos/green/fleet/issues/comments', update: 'PATCH' },
  { all: '/projects/42/merge_requests/7/notes', one: '/projects/42/merge_requests/7/notes', update: 'PUT' },
]

/**
 * Starts a server that answers as GitHub's API with the comments of pull request 7, and GitLab's with the notes of merge request 7, on
 * localhost; `deny` is the status of every write. GitHub does not say whose token a job has.
 */
async function standIn(comments: Comment[], deny?: number): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    asked.push(`${method} ${url}`)
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const answer = (status: number, value: object) => response.writeHead(status).end(JSON.stringify(value))
    if (![headers.authorization, headers['private-token']].some((token) => TOKENS.has(token))) return answer(401, {})
    if (pathname === '/user') return headers['private-token'] === undefined ? answer(403, {}) : answer(200, OWN)
    const [size, page] = ['per_page', 'page'].map((name) => Number(searchParams.get(name)))
    if (method === 'GET') return answer(200, comments.slice(((page ?? 1) - 1) * (size ?? 30)).slice(0, size))
    if (deny !== undefined) return answer(deny, { message: 'Resource not accessible by integration' })
    const { body } = JSON.parse(await text(request))
    return answer(writeComment(comments, `${method} ${pathname}`, body) ? 200 : 404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked }
}

/** Writes a comment anew, or a first one. Returns false for another request. */
function writeComment(comments: Comment[], request: string, body: string): boolean {
  const earlier = comments.find(({ id }) => PLACES.some((place) => `${place.update} ${place.one}/${id}` === request))
  if (earlier !== undefined) earlier.body = body
  else if (PLACES.some(({ all }) => `POST ${all}` === request)) comments.push({ id: 1000, body, user: BOT, author: OWN })
  else return false
  return true
}

/** A repository with the example fleet in which a set changed since the base of the pull request. */
async function pullRequest(change: (set: string) => string): Promise<{ readonly folder: string; readonly base: string }> {
  const folder = join(copyFolder('examples/fleet'), '..')
  cpSync(join(ROOT, 'examples/catalog'), join(folder, 'catalog'), { recursive: true })
  const git = (...args: readonly string[]) => must('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'base')
  const { stdout } = await git('rev-parse', 'HEAD')
  const file = join(folder, 'package/sets/point-of-sale.yaml')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return { folder, base: stdout.toString().trim() }
}

/** The run of an action: `results` is the folder outside of the checkout that the results are in. */
interface ActionRun {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly summary: string
  readonly results: string
}

/**
 * Runs the steps of action.yml that run scripts, each with the environment that it gets, until one fails; the one that always runs runs.
 */
async function runAction(folder: string, base: string, api: string, program = bundlePath('krm-variants'), path = ''): Promise<ActionRun> {
  const place = testFolder()
  const event = JSON.parse(readFileSync(join(ROOT, 'e2e/pull-request-event.json'), 'utf8'))
  event.pull_request.base.sha = base
  const [eventFile, summaryFile, outputFile] = [join(place, 'event.json'), join(place, 'summary.md'), join(place, 'output')]
  writeFileSync(eventFile, JSON.stringify(event))
  for (const file of [summaryFile, outputFile]) writeFileSync(file, '')
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
  const inputs: Readonly<Record<string, string>> = { folder: 'package', token: 'secret', 'allow-outside': 'true', program }
  const outputOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(outputFile, 'utf8'))?.[1] ?? ''
  const filledIn = (text: string) => {
    const [, kind, name = ''] = text.match(/(inputs|outputs)\.([\w-]+)/) ?? []
    return kind === 'inputs' ? (inputs[name] ?? '') : outputOf(name)
  }
  const given = [
    `GITHUB_ACTION_PATH=${ROOT}`,
    `GITHUB_API_URL=${api}`,
    `GITHUB_EVENT_PATH=${eventFile}`,
    `GITHUB_STEP_SUMMARY=${summaryFile}`,
    `GITHUB_OUTPUT=${outputFile}`,
    `RUNNER_TEMP=${place}`,
    ...(path === '' ? [] : [`PATH=${path}:${process.env.PATH}`]),
  ]
  const steps: readonly { readonly if?: string; readonly run?: string; readonly env?: Readonly<Record<string, string>> }[] = runs.steps
  const all = { exitCode: 0 as number | null, stdout: '', stderr: '' }
  for (const { if: condition, run, env = {} } of steps) {
    if (run === undefined || (condition !== undefined && filledIn(condition) === '')) continue
    const passed = Object.entries(env).map(([name, value]) => `${name}=${filledIn(value)}`)
    const done = await runProgram('env', ['--chdir', folder, ...passed, ...given, 'bash', '-e', '-c', run])
    all.exitCode ||= done.exitCode
    all.stdout += done.stdout
    all.stderr += done.stderr
  }
  return { ...all, summary: readFileSync(summaryFile, 'utf8'), results: outputOf('results') }
}

const newRevision = (set: string) => set.replace(/revision: \d+/, 'revision: 2')

test('a pull request gets its changes as one comment, behind a hundred others, that the next run writes anew', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const comments: Comment[] = Array.from({ length: 100 }, (_, id) => ({ id, body: 'looks good' }))
  const { url, asked } = await standIn(comments)
  const first = await runAction(folder, base, url)
  expect(first.exitCode).toBe(0)
  expect(comments).toHaveLength(101)
  expect(comments[100]?.body).toMatch(/^<!-- krm-variants diff of package -->\n### Fleet: /)
  expect(comments[100]?.body).toContain('because catalog/point-of-sale 3 → 2 `package/sets/point-of-sale.yaml:15`')
  expect(first.summary).toBe(comments[100]?.body)
  const before = comments[100]?.body
  expect((await runAction(folder, base, url)).exitCode).toBe(0)
  expect(comments).toHaveLength(101)
  expect(comments[100]?.body).toBe(before)
  expect(asked.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /repos/green/fleet/issues/7/comments',
    'PATCH /repos/green/fleet/issues/comments/1000',
  ])
})

test('errors are the comment, the step fails, and the alerts have file and line', async () => {
  const { folder, base } = await pullRequest((set) => set.replace('objectSelector:', 'objectSelektor:'))
  const comments: Comment[] = []
  const { exitCode, results } = await runAction(folder, base, (await standIn(comments)).url)
  expect(exitCode).toBe(1)
  expect(comments[0]?.body).toContain("did you mean 'objectSelector'?")
  const { runs } = JSON.parse(readFileSync(join(results, 'krm-variants.sarif'), 'utf8'))
  const places = runs[0].results.map(
    ({ locations }: { locations: readonly { physicalLocation: object }[] }) => locations[0]?.physicalLocation,
  )
  expect(JSON.stringify(places)).toContain('sets/point-of-sale.yaml')
  expect(JSON.stringify(places)).toContain('startLine')
})

test('a comment with the mark that another account wrote is left alone', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const body = '<!-- krm-variants diff of package -->\nno changes\n'
  const others: readonly Account[] = [OWN, { ...OWN, login: 'github-actions[bot]' }, { ...BOT, login: 'quotes[bot]' }]
  const comments: Comment[] = others.map((user, id) => ({ id, body, user, author: BOT }))
  expect((await runAction(folder, base, (await standIn(comments)).url)).exitCode).toBe(0)
  expect(comments.map((each) => each.body)).toEqual([body, body, body, expect.stringContaining('### Fleet: ')])
})

test('a change that breaks a policy is a comment with the changes and the error', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const policy =
    'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata: {name: p}\nspec:\n  forEach: variants\n  validations:\n  - expression: "false"\n    message: not allowed here\n'
  writeFileSync(join(folder, 'package/policy.yaml'), policy)
  const comments: Comment[] = []
  expect((await runAction(folder, base, (await standIn(comments)).url)).exitCode).toBe(1)
  expect(comments[0]?.body).toContain('not allowed here')
  expect(comments[0]?.body).toContain('because catalog/point-of-sale 3 → 2')
})

test('nothing of the checkout is run or written, and the program does not get the token', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const place = join(folder, '..', `${folder.split('/').at(-1)}-programs`)
  onTestFinished(() => rmSync(place, { recursive: true }))
  mkdirSync(place)
  const log = join(place, 'log')
  const victim = join(place, 'victim')
  writeFileSync(victim, 'mine')
  // What a stranger may put into the checkout.
  for (const name of ['krm-variants.sarif', 'comment.md', 'diff.md']) symlinkSync(victim, join(folder, name))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, '.npmrc'), 'registry=http://127.0.0.1:1/\n')
  for (const name of ['krm-variants', 'npm', 'npx'])
    writeFileSync(join(folder, 'node_modules/.bin', name), `#!/bin/sh\necho STRANGER >> ${log}\n`, { mode: 0o755 })
  const tool = join(place, 'tool.mjs')
  const noted = "'tool ' + (process.env.TOKEN ?? 'without token') + '\\n'"
  writeFileSync(tool, `import fs from 'node:fs'\nfs.appendFileSync('${log}', ${noted})\nawait import('${bundlePath('krm-variants')}')\n`)
  // An npm that installs what the registry would, and notes what it was asked, where, and with what in its environment.
  const npm = `#!/bin/sh
echo "npm $* in $PWD, token '$TOKEN'" >> ${log}
mkdir -p node_modules/krm-variants
echo '{"bin": {"krm-variants": "tool.mjs"}}' > node_modules/krm-variants/package.json
cp '${tool}' node_modules/krm-variants/tool.mjs
`
  writeFileSync(join(place, 'npm'), npm, { mode: 0o755 })
  const comments: Comment[] = []
  const { exitCode, results, stderr } = await runAction(folder, base, (await standIn(comments)).url, '', place)
  expect(exitCode, stderr).toBe(0)
  expect(comments[0]?.body).toContain('### Fleet: ')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const [user, global] = ['user.npmrc', 'global.npmrc'].map((name) => join(results, name))
  const options = `--prefix ${results} --userconfig ${user} --globalconfig ${global} --ignore-scripts --no-audit --no-fund`
  expect(readFileSync(log, 'utf8').split('\n')).toEqual([
    `npm install ${options} krm-variants@${version} in ${results}, token ''`,
    'tool without token',
    'tool without token',
    '',
  ])
  // The stand-in takes any options; npm itself refuses some together.
  const real = spawnSync('npm', ['config', 'get', 'registry', ...options.split(' ')], { cwd: results, encoding: 'utf8' })
  expect([real.status, real.stderr, real.stdout]).toEqual([0, '', expect.not.stringContaining('127.0.0.1:1/')])
  expect(existsSync(join(results, 'krm-variants.sarif'))).toBe(true)
  expect(readFileSync(victim, 'utf8')).toBe('mine')
})

test('without the right to comment the changes are in the summary, and that is no error', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const { exitCode, stdout, summary } = await runAction(folder, base, (await standIn([], 403)).url)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('::warning::no right to comment') })
  expect(summary).toContain('because catalog/point-of-sale 3 → 2 `package/sets/point-of-sale.yaml:15`')
})

test('a merge request of GitLab gets its changes as one note, which the next run writes anew', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const comments: Comment[] = []
  const { url, asked } = await standIn(comments)
  const variables = [
    'GITLAB_CI=true',
    `CI_API_V4_URL=${url}`,
    'CI_PROJECT_ID=42',
    'CI_MERGE_REQUEST_IID=7',
    `CI_MERGE_REQUEST_DIFF_BASE_SHA=${base}`,
    'FOLDER=package',
    'TOKEN=secret',
    'ALLOW_OUTSIDE=true',
    `PROGRAM=${bundlePath('krm-variants')}`,
  ]
  const run = () => runProgram('env', ['--chdir', folder, ...variables, process.execPath, join(ROOT, 'action/pull-request.mjs')])
  expect((await run()).exitCode).toBe(0)
  const [first] = comments.map(({ body }) => body)
  expect(first).toMatch(/^<!-- krm-variants diff of package -->\n### Fleet: /)
  expect((await run()).exitCode).toBe(0)
  expect(comments.map(({ body }) => body)).toEqual([first])
  expect(asked.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /projects/42/merge_requests/7/notes',
    'PUT /projects/42/merge_requests/7/notes/1000',
  ])
})

test('a change of many objects is a comment of at most 65,536 characters, with the dangers first', async () => {
  const { folder, base } = await pullRequest(newRevision)
  const place = join(folder, 'catalog/point-of-sale@v2')
  const role = (i: number) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: part-${i}\n  namespace: shop\ndata:\n  text: ${'x'.repeat(90)}\n`
  for (let i = 0; i < 400; i++) writeFileSync(join(place, `part-${i}.yaml`), role(i).replace('ConfigMap', `Kind${i % 200}`))
  writeFileSync(
    join(place, 'zz.yaml'),
    `${role(1000).replace('v1\n', 'v1\n').replace('ConfigMap', 'Pod').replace('data:\n  text:', 'spec:\n  hostNetwork: true\n  note:')}`,
  )
  const comments: Comment[] = []
  expect((await runAction(folder, base, (await standIn(comments)).url)).exitCode).toBe(0)
  const body = comments[0]?.body ?? ''
  expect(body.length).toBeLessThanOrEqual(65_536)
  expect(body.indexOf('host-namespace')).toBeGreaterThan(0)
  expect(body.indexOf('host-namespace')).toBeLessThan(body.indexOf('Kind0'))
})

test('a server that fails fails the step', async () => {
  const { folder, base } = await pullRequest(newRevision)
  expect((await runAction(folder, base, (await standIn([], 500)).url)).exitCode).toBe(1)
})
