import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { differingFiles, readFolder } from '../folder-copy.ts'
import { bundlePath, type Finished, ROOT, runProgram } from '../run-program.ts'
import { buildBase } from './images.ts'
import { CONTAINERS } from './present-hosts.ts'

const IMAGE = 'localhost/run-containers'
const KRM_VARIANTS = bundlePath('krm-variants')

/** The programs of images on the list of stdin, by tag. */
const FUNCTIONS = {
  upper: "process.stdout.write(list.replace('level: info', 'level: INFO'))",
  silent: '',
  hangs: 'setInterval(() => {}, 1000)',
  floods: "const flood = () => { while (process.stdout.write('flood '.repeat(10000))); process.stdout.once('drain', flood) }; flood()",
  floods2: "const flood = () => { while (process.stderr.write('flood '.repeat(10000))); process.stderr.once('drain', flood) }; flood()",
  junk: "process.stdout.write('{not: [a list')",
  fails:
    "process.stdout.write(list + 'results:\\n- {message: level must be odd, severity: error}\\n'); process.stderr.write('bad level\\n'); process.exitCode = 1",
  greedy: 'const all = []; for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1))',
  looks: `
    const { networkInterfaces } = require('node:os')
    const { writeFileSync } = require('node:fs')
    const tries = ['/made', '/tmp/made'].map((path) => { try { writeFileSync(path, 'x'); return 'writes ' + path } catch (e) { return e.code } })
    const networks = Object.keys(networkInterfaces()).join()
    process.stdout.write(list.replace('level: info', 'level: ' + JSON.stringify([process.getuid(), networks, ...tries].join(' '))))`,
} as const

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # stays\ndata:\n  level: info\n'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

/** Writes a package with functions, given as lines of its `mutators`. */
function writePackage(name: string, ...mutators: readonly string[]): void {
  mkdirSync(join(folder, name))
  const lines = mutators.map((line) => `  - ${line}\n`).join('')
  writeFileSync(
    join(folder, name, 'Kptfile'),
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\npipeline:\n  mutators:\n${lines}`,
  )
  writeFileSync(join(folder, name, 'a.yaml'), CONFIG_MAP)
}

function environment(): readonly string[] {
  const runtime = CONTAINERS.present ? CONTAINERS.program : 'podman'
  return ['--chdir', folder, `KRM_FN_RUNTIME=${runtime}`, `XDG_CACHE_HOME=${join(folder, 'cache')}`]
}

function krm(...args: readonly string[]): Promise<Finished> {
  return runProgram('env', [...environment(), KRM_VARIANTS, ...args])
}

/** Returns what `run` left of the containers that it started. */
async function containersLeft(): Promise<string> {
  const { stdout } = await runProgram(CONTAINERS.present ? CONTAINERS.program : '', [
    'ps',
    '--all',
    '--quiet',
    '--filter',
    'name=krm-variants-',
  ])
  return stdout.toString().trim()
}

const BUILT_IN = "{image: 'set-labels:v0.2.0', configMap: {tier: store}, selectors: [{kind: ConfigMap}]}"
const PROGRAM = '{exec: sed s/INFO/WARN/, selectors: [{kind: ConfigMap}]}'

test('where the runtime is missing, nothing is run and nothing is written', async () => {
  writePackage('shop', BUILT_IN, `image: ${IMAGE}:upper`, PROGRAM)
  const before = readFolder(folder)
  const command = [
    ...environment(),
    'KRM_FN_RUNTIME=podman',
    'PATH=/nowhere',
    process.execPath,
    KRM_VARIANTS,
    'run',
    'shop',
    '--allow-exec',
  ]
  for (const [option, reason] of [
    [[], 'allow containers with --allow-containers'],
    [['--allow-containers'], 'podman is not installed'],
  ] as const) {
    const { exitCode, stderr } = await runProgram('env', [...command, ...option])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(reason) })
    expect(stderr).toContain('shop/Kptfile:8:12')
  }
  expect(differingFiles(readFolder(folder), before)).toEqual([])
})

describe.skipIf(!CONTAINERS.present)('functions in containers', () => {
  beforeAll(async () => {
    const base = await buildBase()
    const context = mkdtempSync(join(tmpdir(), 'run-containers-images-'))
    for (const [tag, script] of Object.entries(FUNCTIONS)) {
      writeFileSync(join(context, 'fn.cjs'), `const list = require('node:fs').readFileSync(0, 'utf8')\n${script}\n`)
      writeFileSync(join(context, 'Dockerfile'), `FROM ${base}\nCOPY fn.cjs /fn.cjs\nENTRYPOINT ["node", "/fn.cjs"]\n`)
      const { exitCode, stderr } = await runProgram(CONTAINERS.present ? CONTAINERS.program : '', [
        'build',
        '--quiet',
        '--tag',
        `${IMAGE}:${tag}`,
        context,
      ])
      if (exitCode !== 0) throw new Error(stderr)
    }
    rmSync(context, { recursive: true })
  })

  test('run beside a built-in function and a program in one pipeline, are answered from the cache, and a second run changes nothing', async () => {
    writePackage('shop', BUILT_IN, `image: ${IMAGE}:upper`, PROGRAM)
    const first = await krm('run', 'shop', '--allow-exec', '--allow-containers')
    expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Run: 3 functions in 1 package: 1 file updated$/m) })
    const written = readFolder(join(folder, 'shop')).get('a.yaml')
    expect(written).toBe(CONFIG_MAP.replace('# stays\n', '# stays\n  labels:\n    tier: store\n').replace('info', 'WARN'))
    expect(readdirSync(join(folder, 'cache/krm-variants/functions'))).toHaveLength(1)
    const before = readFolder(folder)
    expect((await krm('run', 'shop', '--allow-exec', '--allow-containers', '--no-cache')).stderr).toContain('nothing to change')
    expect(differingFiles(readFolder(folder), before)).toEqual([])
    writeFileSync(join(folder, 'shop/a.yaml'), CONFIG_MAP)
    const cached = await krm('run', 'shop', '--allow-exec', '--allow-containers')
    expect({ ...cached, files: differingFiles(readFolder(folder), before) }).toMatchObject({ exitCode: 0, files: [] })
    expect(await containersLeft()).toBe('')
  })

  test('render a fleet with a container, a built-in function and a program in one pipeline', async () => {
    const fleet = join(folder, 'fleet')
    cpSync(join(ROOT, 'testdata/cli/render-functions/input/fleet'), fleet, { recursive: true })
    const kptfile = join(fleet, 'catalog/shop@v1/Kptfile')
    const lines = [BUILT_IN, `image: ${IMAGE}:upper`, PROGRAM].map((line) => `  - ${line}\n`).join('')
    writeFileSync(kptfile, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n${lines}`)
    writeFileSync(join(fleet, 'catalog/shop@v1/a.yaml'), CONFIG_MAP)
    const refused = await krm('render', 'fleet', '--out', 'out', '--allow-exec')
    expect({ exitCode: refused.exitCode, made: readdirSync(folder).includes('out') }).toEqual({ exitCode: 1, made: false })
    const { exitCode, stderr } = await krm('render', 'fleet', '--out', 'out', '--allow-exec', '--allow-containers')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) })
    const rendered = [...readFolder(join(folder, 'out'))].filter(([path]) => path.endsWith('/a.yaml')).map(([, text]) => text)
    expect(rendered.length).toBeGreaterThan(0)
    for (const text of rendered) expect(text).toContain('level: WARN\n')
  })

  test('see no network, write nowhere but to /tmp, and run as the user nobody', async () => {
    writePackage('shop', `image: ${IMAGE}:looks`)
    expect(await krm('run', 'shop', '--allow-containers')).toMatchObject({ exitCode: 0 })
    expect(readFolder(join(folder, 'shop')).get('a.yaml')).toContain('level: 65534 lo EROFS writes /tmp/made\n')
  })

  test('that misbehave lose nothing: each is named, other packages are written, and no container is left', {
    timeout: 120_000,
  }, async () => {
    const bad = ['silent', 'hangs', 'floods', 'floods2', 'junk', 'fails', 'greedy'] as const
    for (const name of bad) writePackage(name, BUILT_IN, `image: ${IMAGE}:${name}`)
    writePackage('good', BUILT_IN, `image: ${IMAGE}:upper`)
    const before = readFolder(folder)
    const { exitCode, stderr } = await krm('run', ...bad, 'good', '--allow-containers', '--function-timeout', '20')
    expect(exitCode).toBe(1)
    for (const [name, words] of Object.entries({
      silent: 'printed nothing',
      hangs: 'took longer than 20 s and was ended',
      floods: 'printed more than 32 MB and was ended',
      floods2: 'printed more than 32 MB and was ended',
      junk: 'printed what is no ResourceList',
      fails: 'failed with exit code 1: bad level',
      greedy: 'failed with exit code 137',
    }))
      expect(stderr).toMatch(new RegExp(`${name}/Kptfile:8:5: error: .*${words}`))
    expect(stderr).toContain('level must be odd')
    expect(stderr).toContain('7 packages failed')
    const changed = differingFiles(readFolder(folder), before).filter((path) => !path.startsWith('cache/'))
    expect(changed).toEqual(['good/a.yaml'])
    expect(await containersLeft()).toBe('')
  })

  test('are ended by Ctrl-C together with the tool', async () => {
    writePackage('hangs', `image: ${IMAGE}:hangs`)
    const child = spawn('env', [...environment(), KRM_VARIANTS, 'run', 'hangs', '--allow-containers'])
    await expect.poll(containersLeft, { timeout: 20_000, interval: 200 }).not.toBe('')
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
    await expect.poll(containersLeft, { timeout: 20_000, interval: 200 }).toBe('')
  })
})
