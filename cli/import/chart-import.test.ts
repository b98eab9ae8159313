import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'
import { WEB } from './testing/web-deployment.ts'

/** Returns a folder with a chart, and the import of it by a helm that prints what a shell script prints. */
function chartFolder(script: string) {
  const folder = new TestFolder()
  folder.write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
  folder.write('helm', `#!/bin/sh\n${script}`)
  chmodSync(join(folder.folder, 'helm'), 0o755)
  const run = (...more: readonly string[]) =>
    folder.run('import', '--helm', 'web', '--helm-binary', './helm', '--allow-exec', '--as', 'catalog/web', ...more)
  return { folder, run }
}

const printed = (text: string) => `cat <<END\n${text}END\n`

const hook = (event: string, name: string, more = '') =>
  `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  annotations:\n    helm.sh/hook: ${event}\n${more}`

test('a hook or a test with random fields hinders no import, since the package lacks it, and makes no new revision', async () => {
  const { folder, run } = chartFolder(
    printed(`${WEB}${hook('test', 'try-$$')}${hook('pre-install', 'certificate', 'data:\n  key: "$$"\n')}`),
  )
  expect(await run()).toMatchObject({ stdout: '+ catalog/web@v1: 1 object in 2 files\n', exitCode: 0 })
  expect(await run()).toMatchObject({ stdout: '', stderr: 'nothing to do: catalog/web@v1 is this import\n', exitCode: 0 })
  expect(readdirSync(join(folder.folder, 'catalog'))).toEqual(['web@v1'])
  const { stderr, exitCode } = await run('--hooks', 'keep')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('`data.key` of `Secret certificate` must be the same in each run of the chart, and is random')
  expect(stderr).not.toContain('try-')
})

test('a time to the second is found, though both runs may be in one second', async () => {
  const { folder, run } = chartFolder(`${printed(WEB)}echo "  progressDeadlineSeconds: $(date +%s)"\n`)
  folder.write('web/templates/web.yaml', 'spec:\n  progressDeadlineSeconds: {{ now | unixEpoch }}\n')
  const { stderr, exitCode } = await run()
  expect(exitCode).toBe(1)
  expect(stderr).toContain('`spec.progressDeadlineSeconds` of `Deployment web` must be the same in each run of the chart, and is random')
})

test.each(['%Y-%m-%dT%H:%MZ', '%F'])('a time without seconds, %s, is found, as a zone changes it', async (format) => {
  const { folder, run } = chartFolder(`${printed(WEB)}echo "  progressDeadlineSeconds: $(date +${format})"\n`)
  folder.write('web/templates/web.yaml', 'spec:\n  progressDeadlineSeconds: {{ now | date "2006-01-02" }}\n')
  const { stderr, exitCode } = await run()
  expect(exitCode).toBe(1)
  expect(stderr).toContain('`spec.progressDeadlineSeconds` of `Deployment web` must be the same in each run of the chart, and is random')
})

test.each(['db-0.3.0.tgz', 'db.tgz'])('the templates of a packed subchart, %s, are read as those in a folder', async (archive) => {
  const { folder, run } = chartFolder(printed(WEB))
  folder.write('packed/db/templates/secret.yaml', 'kind: Secret\npassword: {{ lookup "v1" "Secret" "a" "b" }}\n')
  mkdirSync(join(folder.folder, 'web/charts'))
  execFileSync('tar', ['-czf', join(folder.folder, 'web/charts', archive), '-C', join(folder.folder, 'packed'), 'db'])
  expect((await run('--dry-run')).stderr).toMatch(/^charts\/db\/templates\/secret\.yaml:2:1: warning: asks the cluster \(lookup\)/)
  folder.write(`web/charts/${archive}`, 'no archive')
  expect(await run('--dry-run')).toMatchObject({ stderr: '', exitCode: 2 })
})

test('what is no chart is refused by what it is, before helm runs', async () => {
  const { folder } = chartFolder('')
  execFileSync('mkfifo', [join(folder.folder, 'pipe.tgz')])
  folder.write('large.tgz', '')
  truncateSync(join(folder.folder, 'large.tgz'), 200_000_001)
  const faultOf = async (chart: string) => (await folder.run('import', '--helm', chart, '--allow-exec', '--as', 'catalog/web')).stderr
  const must = 'krm-variants: `--helm` must name the folder or .tgz of a chart'
  expect(await faultOf('web/Chart.yaml')).toBe(`${must}, 'web/Chart.yaml' is a file of one: name its folder\n`)
  expect(await faultOf('pipe.tgz')).toBe(`${must}, 'pipe.tgz' is a pipe, a socket or a device\n`)
  expect(await faultOf('large.tgz')).toBe(
    "krm-variants: `--helm` must name an archive of at most 200000000 bytes, 'large.tgz' has 200000001\n",
  )
})

test('a chart of hooks alone makes no package', async () => {
  const { run } = chartFolder(printed(hook('pre-install', 'a')))
  const stderr =
    "krm-variants: the chart 'web' holds hooks alone, so there is nothing to make a package of: --hooks keep makes objects of them\n"
  expect(await run()).toEqual({ stdout: '', stderr, exitCode: 1 })
  expect(await run('--hooks', 'keep', '--dry-run')).toMatchObject({ stdout: '+ catalog/web@v1: 1 object in 2 files\n', exitCode: 2 })
})

test.each(['leave-out', 'keep'])('a chart of tests alone makes no package, with --hooks %s', async (hooks) => {
  const { run } = chartFolder(printed(hook('test', 'a')))
  const stderr = "krm-variants: the chart 'web' holds tests alone, which are always left out, so there is nothing to make a package of\n"
  expect(await run('--hooks', hooks)).toEqual({ stdout: '', stderr, exitCode: 1 })
})
