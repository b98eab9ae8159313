import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { isRecord, type JsonValue } from '../../src/json.ts'
import { recordRun } from '../cli/recorded-run.ts'
import { testFolder } from '../test-folder.ts'
import { FILES, GIT_OPTIONS, HOSTILE_PLANS, type PlanAttack, TAKEN_PLACES } from './hostile-plans.ts'

let root = ''
beforeEach(() => {
  const outer = testFolder()
  root = join(outer, 'work')
  for (const [path, text] of Object.entries(FILES)) put(path, text)
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const run = (...args: readonly string[]) => recordRun(root, args)

function git(...args: readonly string[]): string {
  const named = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main']
  return execFileSync('git', ['-C', join(root, 'upstream'), ...named, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** Commits the package of the upstream repository as it stands, and tags it. */
function release(tag: string): string {
  git('add', '-A')
  git('commit', '-qm', tag)
  git('tag', '-f', tag)
  return git('rev-parse', 'HEAD')
}

async function planned(): Promise<void> {
  const { stderr, exitCode } = await run(
    'plan',
    'fleet',
    '--out',
    'plan.json',
    '--packages',
    'clusters',
    '--config',
    'render.yaml',
    '--allow-outside',
  )
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 2 })
}

test('a plan is done without a folder and options, and as it would be with them', async () => {
  await planned()
  const done = await run('render', '--plan', 'plan.json', '--allow-outside')
  expect(done.stderr).toBe('')
  const other = await run('render', 'fleet', '--config', 'render.yaml', '--out', 'others', '--allow-outside')
  expect(done).toEqual(other)
  expect(readFileSync(join(root, 'clusters/edge-1/upf/Kptfile'))).toEqual(readFileSync(join(root, 'others/edge-1/upf/Kptfile')))
})

test.each(HOSTILE_PLANS)('$what is refused, and nothing is written', async ({ edit, options = ['--allow-outside'], says }: PlanAttack) => {
  await planned()
  const saved: JsonValue = JSON.parse(readFileSync(join(root, 'plan.json'), 'utf8'))
  if (!isRecord(saved)) throw new Error('no plan')
  const edited = edit(saved)
  put('plan.json', typeof edited === 'string' ? edited : JSON.stringify(edited))
  const { stdout, stderr, exitCode } = await run('render', '--plan', 'plan.json', ...options)
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  for (const words of says) expect(stderr).toContain(words)
  expect(stderr).toMatch(/^[\n -~…]*$/)
  expect(existsSync(join(root, 'clusters'))).toBe(false)
})

test.each([
  ['a file of the fleet', 'fleet/set.yaml', 'fleet/set.yaml'],
  ['the options, in another folder', 'render.yaml', 'render.yaml'],
  ['an upstream package outside of the fleet', 'catalog/upf@v2/README.md', 'catalog/upf@v2/README.md'],
  ['a package that people edit, outside of the fleet', 'clusters/edge-1/upf/README.md', 'clusters/edge-1/upf/README.md'],
])('a change of %s after the plan is refused by its name', async (_, path, name) => {
  expect((await run('render', 'fleet', '--config', 'render.yaml', '--out', 'clusters', '--allow-outside')).exitCode).toBe(0)
  put('fleet/set.yaml', FILES['fleet/set.yaml'].replace('revision: 1', 'revision: 2'))
  await planned()
  appendFileSync(join(root, path), '# later\n')
  const { stderr, exitCode } = await run('render', '--plan', 'plan.json', '--allow-outside')
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`${name}: error: must be as it was for 'plan.json', changed`)
})

test('a tag that moved after the plan is refused with both commits', async () => {
  put('upstream/upf/Kptfile', FILES['catalog/upf@v1/Kptfile'])
  execFileSync('git', ['init', '-q', join(root, 'upstream')])
  const first = release('upf/v1')
  put('render.yaml', GIT_OPTIONS)
  await planned()
  put('upstream/upf/evil.sh', 'true\n')
  const second = release('upf/v1')
  const { stderr, exitCode } = await run('render', '--plan', 'plan.json', '--allow-outside')
  expect(stderr).toContain(`must be commit ${first} as it was planned, is commit ${second} now`)
  expect({ exitCode, written: existsSync(join(root, 'clusters')) }).toEqual({ exitCode: 1, written: false })
})

test.each(TAKEN_PLACES)('a plan is not saved over $what', async ({ prepare, out, says }) => {
  prepare({ root, put, link: symlinkSync, hardLink: linkSync })
  const before = readFileSync(join(root, 'fleet/set.yaml'), 'utf8')
  const { stderr, exitCode } = await run('plan', 'fleet', '--out', out)
  expect(stderr).toContain(says)
  expect(exitCode).toBe(1)
  expect(readFileSync(join(root, 'fleet/set.yaml'), 'utf8')).toBe(before)
  expect(existsSync(join(root, '.git/hooks/plan.json'))).toBe(false)
})
