import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SYNC_SYSTEMS } from '../../src/sync/options.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { CI_SYSTEMS, newFleet } from './new-fleet.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

const run = (...args: readonly string[]) => recordRun(root, args)

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

test('from init to rendered packages, a changed line and its diff', async () => {
  expect((await run('init', 'shops')).exitCode).toBe(0)
  expect(await run('check', 'shops')).toMatchObject({ exitCode: 0, stdout: '0 errors, 0 can be fixed with --fix\n' })
  expect((await run('plan', 'shops')).exitCode).toBe(2)
  expect((await run('render', 'shops')).exitCode).toBe(0)
  expect(readFileSync(join(root, 'shops/clusters/prod/hello/deployment.yaml'), 'utf8')).toMatch(/namespace: hello\n[\s\S]*replicas: 3 #/)
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', join(root, 'shops'), ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'fleet')
  const set = readFileSync(join(root, 'shops/fleet/hello.yaml'), 'utf8')
  write('shops/fleet/hello.yaml', set.replace("'3'", "'5'"))
  const { stdout, exitCode } = await run('diff', 'shops')
  expect(exitCode).toBe(2)
  expect(stdout).toContain('1 cluster  Deployment hello/hello  spec.replicas: 3 → 5')
})

test('a place where no folder can be made is a fault in words', async () => {
  const stderr = expect.stringMatching(/^krm-variants: cannot write to the folder '\/proc\/none\/fleet': .*\n$/)
  expect(await run('init', '/proc/none/fleet')).toMatchObject({ stdout: '', stderr, exitCode: 1 })
})

test('a second run changes nothing and says so', async () => {
  await run('init', '.')
  expect(await run('init', '.')).toMatchObject({ stdout: '', stderr: 'nothing to do: the fleet is there\n', exitCode: 0 })
})

describe.each(SYNC_SYSTEMS)('with --sync %s', (system) => {
  test('sync writes the objects of both clusters, and check has nothing to report', async () => {
    await run('init', '.', '--sync', system)
    expect(await run('check')).toMatchObject({ exitCode: 0, stdout: '0 errors, 0 can be fixed with --fix\n' })
    const { stdout, exitCode } = await run('sync')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/prod-hello/)
    expect(stdout).toMatch(/staging-hello/)
  })
})

test.each(CI_SYSTEMS)('the workflow of %s runs on the top of the repository, and is no resource of the fleet', async (ci) => {
  await run('init', '.', '--ci', ci)
  const [workflow = { path: '', text: '' }] = newFleet({ ci }).filter(({ path }) => path.startsWith('.git'))
  expect(readFileSync(join(root, workflow.path), 'utf8')).toBe(workflow.text)
  expect(workflow.text).not.toMatch(/folder: fleet| fleet >/)
  expect((await run('check')).exitCode).toBe(0)
})

describe('in a subfolder of a repository', () => {
  const inside = "apps/o'shops"

  beforeEach(() => {
    execFileSync('git', ['init', '--quiet', root])
    mkdirSync(join(root, inside), { recursive: true })
  })

  test('the clusters are deployed from the folder in the repository', async () => {
    await run('init', inside, '--sync', 'flux')
    expect((await run('render', inside)).exitCode).toBe(0)
    expect((await run('sync', inside)).exitCode).toBe(0)
    const written = readFileSync(join(root, inside, 'fleet/flux/kustomization-prod-hello.yaml'), 'utf8')
    expect(parse(written).spec.path).toBe(`./${inside}/clusters/prod/hello`)
  })

  test('the workflow of GitHub names the folder, and the output says where GitHub reads it', async () => {
    const { stderr } = await run('init', inside, '--ci', 'github')
    expect(stderr).toContain(`move ${inside}/.github/workflows/fleet.yaml to .github/workflows/ there\n`)
    const { jobs } = parse(readFileSync(join(root, inside, '.github/workflows/fleet.yaml'), 'utf8'))
    expect(jobs.diff.steps.at(-1).with).toEqual({ folder: inside })
  })

  test('the job of GitLab names the folder, and the output says how GitLab reads it', async () => {
    const { stderr } = await run('init', inside, '--ci', 'gitlab')
    expect(stderr).toContain(`name ${inside}/.gitlab-ci.yml in its include, as local\n`)
    const { fleet } = parse(readFileSync(join(root, inside, '.gitlab-ci.yml'), 'utf8'))
    const commands = fleet.script.filter((line: string) => /" (?:diff|check) /.test(line))
    expect(commands).toEqual([
      expect.stringContaining(`"$CI_MERGE_REQUEST_DIFF_BASE_SHA" 'apps/o'\\''shops' > "$TOOL/diff.md"`),
      expect.stringContaining(`--format junit 'apps/o'\\''shops' > "$TOOL/check.xml"`),
    ])
  })
})

describe('in the folder of a fleet that people changed', () => {
  beforeEach(async () => {
    await run('init', '.')
    write('fleet/hello.yaml', readFileSync(join(root, 'fleet/hello.yaml'), 'utf8').replace("'3'", "'5'"))
    rmSync(join(root, 'catalog'), { recursive: true })
  })

  test('the asked files alone are written', async () => {
    expect(await run('init', '.', '--ci', 'github')).toMatchObject({
      stdout: '+ .github/workflows/fleet.yaml\n',
      stderr: '',
      exitCode: 0,
    })
    expect(await run('init', '.', '--ci', 'gitlab')).toMatchObject({ stdout: '+ .gitlab-ci.yml\n', stderr: '', exitCode: 0 })
    const { stdout, stderr, exitCode } = await run('init', '.', '--sync', 'argocd')
    expect({ stdout, exitCode }).toEqual({ stdout: '+ fleet/sync.yaml\n', exitCode: 0 })
    expect(stderr).toContain('first write the git repository of each cluster into its Repository')
    expect(readFileSync(join(root, 'fleet/hello.yaml'), 'utf8')).toContain("'5'")
  })

  test('there is nothing to do without an option, also if the set is in a file of another name', async () => {
    const nothing = { stdout: '', stderr: 'nothing to do: the fleet is there\n', exitCode: 0 }
    expect(await run('init', '.')).toMatchObject(nothing)
    renameSync(join(root, 'fleet/hello.yaml'), join(root, 'fleet/web.yaml'))
    expect(await run('init', '.')).toMatchObject(nothing)
    rmSync(join(root, 'fleet'), { recursive: true })
    write('fleet/web.yaml', 'kind: "PackageVariantSet" # ours\n')
    expect(await run('init', '.')).toMatchObject(nothing)
  })

  test('its sets may be in any folder, but not in a package', async () => {
    renameSync(join(root, 'fleet'), join(root, 'sets'))
    expect(await run('init', '.')).toMatchObject({ stdout: '', stderr: 'nothing to do: the fleet is there\n', exitCode: 0 })
    write('sets/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: sets}\n')
    expect((await run('init', '.')).stdout).toContain('+ fleet/hello.yaml\n')
  })

  test('an asked file with other content is an error', async () => {
    write('.gitlab-ci.yml', 'stages: []\n')
    const stderr =
      "krm-variants: init overwrites no file, and '.gitlab-ci.yml' is there with other content: name another folder, or move it, or leave out --ci\n"
    expect(await run('init', '.', '--ci', 'gitlab')).toMatchObject({ stdout: '', stderr, exitCode: 1 })
  })
})

describe('files of people', () => {
  test('a README and a .krmignore stay, and the output names them', async () => {
    write('README.md', 'ours\n')
    write('.krmignore', '# ours\n')
    const { stderr, exitCode } = await run('init', '.')
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^\.krmignore: left as it is\nREADME\.md: left as it is\nNext:/)
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('ours\n')
  })

  test('a file with other content is an error that names it, and nothing is written', async () => {
    write('fleet/hello.yaml', 'kind: Mine\n')
    write('catalog', 'a file\n')
    const { stdout, stderr, exitCode } = await run('init', '.')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toContain("init overwrites no file, and 'fleet/hello.yaml', 'catalog' are there with other content")
    expect(existsSync(join(root, 'fleet/render.yaml'))).toBe(false)
  })

  test('a folder below a file, and a pipe in its place, are refused by the name of what is there', async () => {
    write('file', 'ours\n')
    execFileSync('mkfifo', [join(root, 'pipe')])
    for (const [dir, around] of [
      ['file/shops/eu', 'file'],
      ['pipe', 'pipe'],
    ] as const)
      expect(await run('init', dir)).toMatchObject({
        exitCode: 1,
        stderr: `krm-variants: init must be given a folder, and '${join(root, around)}' on the way to '${dir}' is none\n`,
      })
  })

  test.each(['.git/shops', 'node_modules/shops'])('%s is no folder for a fleet', async (dir) => {
    expect(await run('init', dir)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(`^krm-variants: the folder of init must not have the part '${dir.split('/')[0]}'.*, got '${dir}'\n$`),
    })
    expect(existsSync(join(root, dir))).toBe(false)
  })

  test('a link that leads out of the folder is not followed', async () => {
    mkdirSync(join(root, 'elsewhere'))
    mkdirSync(join(root, 'shops'))
    symlinkSync('../elsewhere', join(root, 'shops/fleet'))
    const { stderr, exitCode } = await run('init', 'shops')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('be inside the folder that is read')
    expect(existsSync(join(root, 'elsewhere/hello.yaml'))).toBe(false)
  })
})

test.skipIf(process.getuid?.() === 0)('a folder that must not be read may hold a fleet, and .krmignore may name it', async () => {
  mkdirSync(join(root, 'p/closed'), { recursive: true })
  chmodSync(join(root, 'p/closed'), 0)
  const refused = await run('init', '.')
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    'p/closed: error: cannot be read: permission denied; make the folder readable, or name it in .krmignore [unreadable-file]\n',
  ])
  write('.krmignore', 'p/closed\n')
  expect((await run('init', '.')).exitCode).toBe(0)
  chmodSync(join(root, 'p/closed'), 0o755)
})
