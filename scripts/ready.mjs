import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, wherever the command was started. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

// What a bundle is made of; anything newer than a bundle makes it stale.
const SOURCES = ['src', 'functions', 'cli', 'page', 'schemas', 'scripts', 'package.json', 'package-lock.json']

/** Installs what the lock file names, unless npm has done so since the lock file last changed. */
export function installIfNeeded() {
  if (modified('node_modules/.package-lock.json') >= modified('package-lock.json')) return
  say('Installing packages, once (npm ci)')
  npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
}

/** Builds `dist/`, unless every bundle there is younger than every source. */
export function buildIfNeeded() {
  if (oldest('dist') >= Math.max(...SOURCES.map(newest))) return
  say('Building dist (npm run build)')
  prepare(process.execPath, ['scripts/build.mjs'])
}

/** A line about what happens next: on stderr, since stdout belongs to what was asked for. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Runs a step that must succeed before the work can begin; its output goes to stderr, its failure ends this process. */
export function prepare(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (error !== undefined) say(error.message)
  if (status !== 0) process.exit(status ?? 1)
}

/** npm as the one that started this process, else the one on PATH. */
function npm(...args) {
  const path = process.env.npm_execpath
  if (path === undefined) prepare('npm', args)
  else prepare(process.execPath, [path, ...args])
}

function modified(path) {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newest(path) {
  return Math.max(0, ...filesBelow(path).map(modified))
}

/** 0 when there is no file, so that nothing counts as older. */
function oldest(path) {
  const times = filesBelow(path).map(modified)
  return times.length === 0 ? 0 : Math.min(...times)
}

function filesBelow(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(ROOT, path)).flatMap((name) => filesBelow(join(path, name)))
}
