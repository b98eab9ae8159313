import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { resolveImage } from '../image.ts'
import type { FunctionAnswer } from '../match.ts'
import { AnswerCache } from './answer-cache.ts'
import { containerRunners } from './container.ts'

const ID = 'a'.repeat(64)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'containers-'))
  mkdirSync(join(folder, 'bin'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** Puts a runtime of containers on PATH that notes its arguments and does what `script` says. */
function fakeRuntime(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho "$*" >> '${folder}/calls'\n${script}\n`, { mode: 0o755 })
}

function calls(): readonly string[] {
  return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
}

/** Asks for the runner of an image as a run with these options would. */
function runnerOf(text: string, { environment = {}, network = [], cache, seconds = 10 }: Partial<Asked> = {}) {
  const settings = {
    folder,
    environment: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...environment },
    seconds,
    network: new Set(network),
    cache: cache === true ? new AnswerCache(join(folder, 'cache')) : undefined,
  }
  return containerRunners(settings)(resolveImage(text, '', 'example.com/fn'), text)
}

interface Asked {
  readonly environment: Readonly<Record<string, string>>
  readonly network: readonly string[]
  readonly cache: boolean
  readonly seconds: number
}

async function answers(runner: ReturnType<typeof runnerOf>, input: string): Promise<FunctionAnswer> {
  if (typeof runner === 'string') throw new Error(runner)
  return (runner.later ?? runner)(input)
}

const INSPECT = `if [ "$1" = image ]; then echo '[{"Id": "sha256:${ID}"}]'; exit; fi`

test('an image runs by its id, without network and rights, read-only, as nobody, with a limit of memory', async () => {
  fakeRuntime('docker', `${INSPECT}\ncat`)
  expect(await answers(runnerOf('deploy:v1'), 'list')).toEqual({ stdout: 'list', stderr: '', exitCode: 0 })
  const [asked, ran = ''] = calls()
  expect(asked).toBe('image inspect example.com/fn/deploy:v1')
  expect(ran.replace(/krm-variants-[0-9a-f-]{36}/, 'NAME')).toBe(
    `run --rm --interactive --name NAME --network none --user nobody --security-opt=no-new-privileges --cap-drop=ALL --read-only --tmpfs=/tmp:rw,noexec,nosuid,size=64m --memory=1g --pull=never sha256:${ID}`,
  )
})

test.each(['deploy:v1', 'example.com/fn/deploy:v1', 'example.com/fn/deploy'])(
  'an image that may use the network, named as %s, gets it',
  async (named) => {
    fakeRuntime('docker', `${INSPECT}\ncat`)
    await answers(runnerOf('deploy:v1', { network: [named] }), 'list')
    expect(calls()[1]).toContain(' --network host ')
  },
)

test('the runtime is the one that kpt would use', () => {
  for (const name of ['podman', 'nerdctl']) fakeRuntime(name, INSPECT)
  expect(runnerOf('a', { environment: { KRM_FN_RUNTIME: 'Podman', KPT_FN_RUNTIME: 'docker' } })).toBeTypeOf('function')
  expect(runnerOf('a', { environment: { KPT_FN_RUNTIME: 'nerdctl' } })).toBeTypeOf('function')
  expect(runnerOf('a', { environment: { KRM_FN_RUNTIME: 'crio' } })).toBe(
    "KRM_FN_RUNTIME must be one of docker, podman, nerdctl, got 'crio'",
  )
  expect(runnerOf('a', { environment: { PATH: '/nowhere' } })).toBe('docker is not installed; KRM_FN_RUNTIME names another runtime')
})

test('an image that is not there is pulled once', () => {
  fakeRuntime('docker', `if [ "$1" = pull ]; then touch pulled; exit; fi\n[ -e pulled ] || exit 1\n${INSPECT}`)
  expect(runnerOf('deploy:v1')).toBeTypeOf('function')
  expect(calls()).toEqual([
    'image inspect example.com/fn/deploy:v1',
    'pull --quiet example.com/fn/deploy:v1',
    'image inspect example.com/fn/deploy:v1',
  ])
})

test.each([
  ['echo "pulling" >&2; echo "no such host" >&2; exit 1', 'docker has no such image and cannot pull it: no such host'],
  ['echo junk', 'docker has no such image and cannot pull it: '],
])('a runtime that answers with %s cannot run the image', (script, reason) => {
  fakeRuntime('docker', script)
  expect(runnerOf('deploy:v1')).toBe(reason)
})

test('a range of versions is no image', () => {
  expect(runnerOf('a/b')).toBeTypeOf('string')
  const settings = { folder, environment: {}, seconds: 1, network: new Set<string>(), cache: undefined }
  expect(containerRunners(settings)({ repository: 'a/b', tag: '~0.4.0', digest: '' }, 'a/b')).toMatch(/must be one tag/)
})

test('a container that takes too long is removed: its client is not its parent', async () => {
  fakeRuntime('docker', `${INSPECT}\n[ "$1" != run ] || exec sleep 60`)
  const answer = await answers(runnerOf('a', { seconds: 1 }), '')
  expect(answer).toMatchObject({ exitCode: undefined, stderr: expect.stringContaining('longer than 1 s') })
  const [, run = '', ...ended] = calls()
  const [name = ''] = /krm-variants-[0-9a-f-]{36}/.exec(run) ?? []
  expect(ended).toEqual([`kill --signal KILL ${name}`, `rm --force ${name}`])
})

test('an answer is kept by image and input, and a damaged one is removed', async () => {
  fakeRuntime('docker', `${INSPECT}\ncat; echo new`)
  const runs = () => calls().filter((call) => call.startsWith('run ')).length
  const cached = () => answers(runnerOf('a', { cache: true }), 'list\n')
  const first = await cached()
  expect(first).toEqual({ stdout: 'list\nnew\n', stderr: '', exitCode: 0 })
  expect([await cached(), runs()]).toEqual([first, 1])
  await answers(runnerOf('a', { cache: true }), 'other')
  expect(runs()).toBe(2)
  const cache = join(folder, 'cache')
  for (const entry of readdirSync(cache)) writeFileSync(join(cache, entry), readFileSync(join(cache, entry), 'utf8').replace('new', 'nEw'))
  expect([await cached(), runs()]).toEqual([first, 3])
  expect([await cached(), runs()]).toEqual([first, 3])
})

test('a failure is not kept, nor what came over the network, and a cache that cannot be written fails nothing', async () => {
  fakeRuntime('docker', `${INSPECT}\ncat; exit 1`)
  await answers(runnerOf('a', { cache: true }), 'list')
  fakeRuntime('docker', `${INSPECT}\ncat`)
  await answers(runnerOf('a', { cache: true, network: ['a'] }), 'list')
  expect(readdirSync(folder)).not.toContain('cache')
  writeFileSync(join(folder, 'cache'), '')
  expect(await answers(runnerOf('a', { cache: true }), 'list')).toMatchObject({ stdout: 'list', exitCode: 0 })
})
