// What action.yml runs, and the job of GitLab: the changes of a pull request as one comment, written anew by each run, and the findings of check
// as SARIF. Without a right to comment, as in pull requests from forks, the changes are in the summary of the run only.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { FOLDER = '.', TOKEN = '', PROGRAM = '', ALLOW_OUTSIDE = '', GITHUB_STEP_SUMMARY } = process.env
const MARK = `<!-- krm-variants diff of ${FOLDER} -->`
/** The mark of the comments of versions that posted the plan. */
const FORMER_MARK = `<!-- krm-variants plan of ${FOLDER} -->`
/** GitHub refuses a comment of more than 65,536 characters; a part of them is for the mark. */
const MAX_CHARS = 65_000
const PER_PAGE = 100

const forge = process.env.GITLAB_CI === 'true' ? gitlab(process.env) : github(process.env)
const outside = ALLOW_OUTSIDE === 'true' ? ['--allow-outside'] : []
const from = forge.base === undefined ? [] : [forge.base]
const diff = run('diff', '--format', 'markdown', '--max-chars', String(MAX_CHARS), ...outside, ...from, FOLDER)
const check = run('check', '--format', 'sarif', ...outside, FOLDER)
if (check.stdout !== '') writeFileSync('krm-variants.sarif', check.stdout)
const failed = diff.status === 1
const body = `${MARK}\n${failed ? `krm-variants diff found errors:\n\n${fenced(diff.stderr.slice(0, 60_000))}` : diff.stdout}`
if (GITHUB_STEP_SUMMARY !== undefined) appendFileSync(GITHUB_STEP_SUMMARY, body)
if (forge.comments !== undefined) await comment(body)
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

/** The pull request of GitHub Actions: the commit that it starts from, and where its comments are. */
function github({ GITHUB_API_URL, GITHUB_EVENT_PATH }) {
  const { pull_request: request, repository } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'))
  if (request === undefined) return {}
  const issues = `${GITHUB_API_URL}/repos/${repository.full_name}/issues`
  return {
    base: request.base.sha,
    comments: `${issues}/${request.number}/comments`,
    commentAt: (id) => `${issues}/comments/${id}`,
    update: 'PATCH',
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}`, 'x-github-api-version': '2022-11-28' },
  }
}

/** The merge request of GitLab CI; without a token for its API, as in forks, nothing is commented. */
function gitlab({ CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_MERGE_REQUEST_DIFF_BASE_SHA }) {
  if (CI_MERGE_REQUEST_IID === undefined) return {}
  const notes = `${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`
  return {
    base: CI_MERGE_REQUEST_DIFF_BASE_SHA,
    ...(TOKEN !== '' && { comments: notes }),
    commentAt: (id) => `${notes}/${id}`,
    update: 'PUT',
    headers: { 'private-token': TOKEN },
  }
}

/** Writes the comment of the earlier run anew, or a first one. */
async function comment(text) {
  const earlier = await findComment()
  const path = earlier === undefined ? forge.comments : forge.commentAt(earlier.id)
  const answer = await ask(earlier === undefined ? 'POST' : forge.update, path, { body: text })
  if (answer.status === 403) process.stdout.write('::warning::no right to comment: the changes are in the summary of this run\n')
  else if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

async function findComment() {
  for (let page = 1; ; page++) {
    const path = `${forge.comments}?per_page=${PER_PAGE}&page=${page}`
    const answer = await ask('GET', path)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const found = await answer.json()
    const earlier = found.find(({ body = '' }) => [MARK, FORMER_MARK].some((mark) => body.startsWith(mark)))
    if (earlier !== undefined || found.length < PER_PAGE) return earlier
  }
}

function ask(method, path, body) {
  const headers = { ...forge.headers, ...(body && { 'content-type': 'application/json' }) }
  return fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
