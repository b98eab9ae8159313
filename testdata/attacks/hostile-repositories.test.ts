import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordRun } from '../cli/recorded-run.ts'
import { FORGED } from './forged-repositories.ts'
import { HostilePlace } from './hostile-place.ts'
import { HOSTILE_REFERENCES } from './hostile-references.ts'
import { DRY_RUN, HOSTILE_REPOSITORIES } from './hostile-repositories.ts'

let place: HostilePlace
beforeEach(() => {
  place = new HostilePlace()
  vi.stubEnv('HOME', join(place.root, 'home'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  place.remove()
})

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  return recordRun(place.root, args, { environment: { XDG_CACHE_HOME: join(place.root, 'cache') } })
}

test.each([...HOSTILE_REPOSITORIES, ...HOSTILE_REFERENCES, ...FORGED])('$what', async ({ arrange, exitCode, says }) => {
  const { args = DRY_RUN, environment } = arrange(place) ?? {}
  const before = place.files
  const ended = await run(args, environment)
  console.log(
    `${expect.getState().currentTestName}: exit code ${ended.exitCode}, ${place.sprung.length} traps sprung; ${ended.both.split('\n')[0]}`,
  )
  expect(place.sprung).toEqual([])
  expect(ended.both).toMatch(says)
  expect(ended.both).not.toContain('s3cret')
  expect({ exitCode: ended.exitCode, files: place.files }).toEqual({ exitCode, files: before })
})

const HOOKS = [
  ...[
    'applypatch-msg',
    'commit-msg',
    'fsmonitor-watchman',
    'post-applypatch',
    'post-checkout',
    'post-commit',
    'post-index-change',
    'post-merge',
  ],
  ...[
    'post-receive',
    'post-rewrite',
    'post-update',
    'pre-applypatch',
    'pre-auto-gc',
    'pre-commit',
    'pre-merge-commit',
    'pre-push',
    'pre-rebase',
  ],
  ...['pre-receive', 'prepare-commit-msg', 'proc-receive', 'push-to-checkout', 'reference-transaction', 'sendemail-validate', 'update'],
]

/** The settings of git that name a program. */
const PROGRAMS = [
  ...['core.fsmonitor', 'core.sshCommand', 'core.gitProxy', 'core.pager', 'core.editor', 'core.askPass', 'core.alternateRefsCommand'],
  ...['pager.ls-tree', 'pager.cat-file', 'pager.for-each-ref', 'pager.rev-parse', 'sequence.editor', 'gpg.program', 'gpg.ssh.program'],
  ...['diff.external', 'diff.trap.command', 'diff.trap.textconv', 'filter.trap.clean', 'filter.trap.smudge', 'filter.trap.process'],
  ...['merge.trap.driver', 'difftool.trap.cmd', 'mergetool.trap.cmd', 'interactive.diffFilter', 'uploadpack.packObjectsHook'],
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'trailer.trap.command', 'browser.trap.cmd', 'man.trap.cmd', 'web.browser'],
]

/** Puts a trap at every hook and every setting that names a program, loses a file, and leaves a way to fetch it that is a trap. */
function setTraps(folder: string, lost: string): void {
  for (const hook of HOOKS) {
    const file = join(folder, '.git/hooks', hook)
    writeFileSync(file, `#!/bin/sh\nexec ${place.trap} ${hook}\n`)
    chmodSync(file, 0o755)
  }
  writeFileSync(join(folder, '.git/info/attributes'), '* filter=trap diff=trap merge=trap\n')
  place.loseFile(folder, lost)
  place.configure(folder, ['protocol.ext.allow', 'always'], ['remote.origin.url', `ext::${place.trap} fetch`])
  place.configure(folder, ['credential.helper', `!${place.trap}`], ['core.hooksPath', '.git/hooks'], ['fetch.recurseSubmodules', 'true'])
  for (const key of [...PROGRAMS, ...['ls-tree', 'cat-file', 'ls-files', 'fetch'].map((name) => `alias.${name}`)])
    place.configure(folder, [key, key.startsWith('alias.') ? `!${place.trap}` : place.trap])
}

const COMMANDS = [
  ...[
    ['plan', 'fleet'],
    ['plan', 'fleet', '--against', 'HEAD'],
    ['plan', 'fleet', '--format', 'html'],
    ['plan', 'fleet', '--out', 'plan.json'],
  ],
  ...[
    DRY_RUN,
    ['render', 'fleet', '--out', 'clusters', '--branch', 'x'],
    ['render', 'fleet', '--out', 'clusters'],
    ['render', 'fleet', '--out', 'fleet', '--plan', 'plan.json'],
  ],
  ...[
    ['check', 'fleet'],
    ['check', 'fleet', '--fix'],
    ['explain', 'upf-edge', 'fleet'],
    ['explain', '--behind', 'fleet'],
    ['graph', 'fleet'],
  ],
  ...[
    ['resolve', 'fleet', '--dry-run'],
    ['simulate', 'fleet', '--change', 'fleet/variant.yaml'],
    ['cel', '1 + 1', 'fleet'],
    ['cel', '--vars', 'fleet'],
  ],
  ...[
    ['fn', 'fan-out', 'fleet'],
    ['fn', 'render-variants', 'fleet'],
    ['fn', 'check-dependencies', 'fleet'],
    ['schema', 'RenderVariants'],
  ],
  ...[['rule', 'upstream-git'], ['completion', 'bash'], ['--version'], ['--help']],
]

test('with a trap at every hook and every program of two repositories no command of the tool springs one', async () => {
  place.makeCatalog()
  place.options(`{git: {repo: ${place.catalog}}}`)
  place.addSet()
  place.commitAll(place.fleet)
  setTraps(place.catalog, 'upf/Kptfile')
  setTraps(place.fleet, 'variant.yaml')
  for (const args of COMMANDS) {
    await run(args)
    expect({ args, sprung: place.sprung }).toEqual({ args, sprung: [] })
  }
})

test('the traps are real: git springs them when it is called as a person calls it', () => {
  place.makeCatalog()
  setTraps(place.catalog, 'upf/Kptfile')
  for (const args of [['cat-file', '-p', 'HEAD:upf/Kptfile'], ['status'], ['update-ref', 'refs/heads/x', 'HEAD']]) {
    const before = place.sprung.length
    // Git may end well where a trap fails: `status` asks a failed monitor of files for nothing.
    try {
      place.git(place.catalog, ...args)
    } catch {}
    expect(place.sprung.length, args.join(' ')).toBeGreaterThan(before)
  }
})
