// What action.yml runs: the plan of a pull request as one comment, written anew by each run, and the findings of check as SARIF.
// Without a right to comment, as in pull requests from forks, the plan is in the summary of the run only.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { FOLDER = '.', TOKEN = '', PROGRAM = '', GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_STEP_SUMMARY } = process.env
const { pull_request: request, repository } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'))
const MARK = `<!-- krm-variants plan of ${FOLDER} -->`
/** GitHub refuses a comment of more than 65,536 characters. */
const MAX_CHARS = '65000'
const PER_PAGE = 100

const against = request === undefined ? [] : ['--against', request.base.sha]
const plan = run('plan', '--format', 'markdown', '--max-chars', MAX_CHARS, ...against, FOLDER)
const check = run('check', '--format', 'sarif', FOLDER)
if (check.stdout !== '') writeFileSync('krm-variants.sarif', check.stdout)
const failed = plan.status === 1
const body = `${MARK}\n${failed ? `krm-variants plan found errors:\n\n${fenced(plan.stderr.slice(0, 60_000))}` : plan.stdout}`
appendFileSync(GITHUB_STEP_SUMMARY, body)
if (request !== undefined) await comment(body)
process.exitCode = failed || check.status === 1 ? 1 : 0

/** A block of text as it is: its fence is longer than any within. */
function fenced(text) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

/** Runs the tool; its own words go to the log. */
function run(...args) {
  const [command, ...before] = PROGRAM === '' ? ['npx', '--yes', `krm-variants@${versionOfAction()}`] : [PROGRAM]
  const { stdout, stderr, status, error } = spawnSync(command, [...before, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (error !== undefined) throw error
  process.stderr.write(stderr)
  return { stdout, stderr, status }
}

function versionOfAction() {
  return JSON.parse(readFileSync(join(dirname(import.meta.dirname), 'package.json'), 'utf8')).version
}

/** Writes the comment of the earlier run anew, or a first one. */
async function comment(text) {
  const comments = `/repos/${repository.full_name}/issues/${request.number}/comments`
  const earlier = await findComment(comments)
  const path = earlier === undefined ? comments : `/repos/${repository.full_name}/issues/comments/${earlier.id}`
  const answer = await ask(earlier === undefined ? 'POST' : 'PATCH', path, { body: text })
  if (answer.status === 403) process.stdout.write('::warning::no right to comment: the plan is in the summary of this run\n')
  else if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

async function findComment(comments) {
  for (let page = 1; ; page++) {
    const answer = await ask('GET', `${comments}?per_page=${PER_PAGE}&page=${page}`)
    if (!answer.ok) throw new Error(`${comments}: ${answer.status} ${await answer.text()}`)
    const found = await answer.json()
    const earlier = found.find(({ body = '' }) => body.startsWith(MARK))
    if (earlier !== undefined || found.length < PER_PAGE) return earlier
  }
}

function ask(method, path, body) {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}`, 'x-github-api-version': '2022-11-28' }
  return fetch(`${GITHUB_API_URL}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
