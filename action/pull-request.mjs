// What action.yml runs, and the job of GitLab: the changes of a pull request as one comment, written anew by each run, and the findings of
// check as SARIF. Without a right to comment, as in pull requests from forks, the changes are in the summary of the run only.
//
// `pull-request.mjs judge` runs the tool and writes the results into a new folder outside of the checkout; `pull-request.mjs comment` posts
// them. Without a word it does both. The checkout is that of a stranger: nothing in it is run, npm reads no configuration there, no result
// is written there, and the tool does not get the token.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const { FOLDER = '.', TOKEN = '', PROGRAM = '', ALLOW_OUTSIDE = '', RESULTS = '' } = process.env
const { GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, RUNNER_TEMP = tmpdir() } = process.env
const MARK = `<!-- krm-variants diff of ${FOLDER} -->`
/** The mark of the comments of versions that posted the plan. */
const FORMER_MARK = `<!-- krm-variants plan of ${FOLDER} -->`
/** GitHub refuses a comment of more than 65,536 characters; a part of them is for the mark. */
const MAX_CHARS = 65_000
const MAX_ERRORS = 60_000
const PER_PAGE = 100
const BODY = 'comment.md'

const forge = process.env.GITLAB_CI === 'true' ? gitlab(process.env) : github(process.env)
try {
  await main(process.argv[2])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function main(part) {
  if (part !== 'comment') {
    const body = judge(realpathSync(mkdtempSync(join(RUNNER_TEMP, 'krm-variants-'))))
    if (part !== 'judge') await comment(body)
  } else await comment(readFileSync(join(RESULTS, BODY), 'utf8'))
}

/** Runs diff and check, and writes what they say into a folder. Returns the text of the comment. */
function judge(results) {
  const command = PROGRAM === '' ? installed(results) : [PROGRAM]
  const outside = ALLOW_OUTSIDE === 'true' ? ['--allow-outside'] : []
  const from = forge.base === undefined ? [] : [forge.base]
  const diff = run(command, 'diff', '--format', 'markdown', '--max-chars', String(MAX_CHARS), ...outside, ...from, FOLDER)
  const failed = diff.status !== 0 && diff.status !== 2
  // The list of changes has the errors above. Without one, as when a file cannot be read, the errors are all there is.
  const errors = () => `krm-variants diff found errors:\n\n${fenced(cut(diff.stderr))}`
  const body = `${MARK}\n${failed && diff.stdout === '' ? errors() : diff.stdout}`
  writeFileSync(join(results, BODY), body)
  const check = run(command, 'check', '--format', 'sarif', ...outside, FOLDER)
  const sarif = join(results, 'krm-variants.sarif')
  if (check.stdout !== '') writeFileSync(sarif, check.stdout)
  if (GITHUB_STEP_SUMMARY !== undefined) appendFileSync(GITHUB_STEP_SUMMARY, body)
  if (GITHUB_OUTPUT !== undefined) appendFileSync(GITHUB_OUTPUT, `results=${results}\n${check.stdout === '' ? '' : `sarif=${sarif}\n`}`)
  process.exitCode = failed || check.status !== 0 ? 1 : 0
  return body
}

/** Installs the release of this action's version into a folder, with no configuration of npm but that of the environment. */
function installed(folder) {
  const { version } = JSON.parse(readFileSync(join(dirname(import.meta.dirname), 'package.json'), 'utf8'))
  // Two files: npm refuses one for both.
  const [user, global] = ['user.npmrc', 'global.npmrc'].map((name) => join(folder, name))
  for (const file of [user, global]) writeFileSync(file, '')
  const options = ['--prefix', folder, '--userconfig', user, '--globalconfig', global, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr, error } = spawnSync('npm', ['install', ...options, `krm-variants@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    env: withoutToken(),
  })
  if (error !== undefined || status !== 0) throw new Error(`krm-variants@${version} cannot be installed: ${error?.message ?? stderr}`)
  const place = join(folder, 'node_modules/krm-variants')
  const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  return [process.execPath, join(place, bin['krm-variants'])]
}

function withoutToken() {
  const { TOKEN: _, ...env } = process.env
  return env
}

/** Runs the tool in the checkout; its own words go to the log, in which GitHub must not take a line for a command of a workflow. */
function run([command, ...before], ...args) {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, env: withoutToken() }
  const { stdout, stderr, status, error } = spawnSync(command, [...before, ...args], options)
  if (error !== undefined) throw error
  const mark = randomUUID()
  process.stderr.write(forge.hasLogCommands ? `::stop-commands::${mark}\n${stderr}\n::${mark}::\n` : stderr)
  return { stdout, stderr, status }
}

/** A text of at most some characters, and how much of it is left out. */
function cut(text) {
  if (text.length <= MAX_ERRORS) return text
  const kept = text.slice(0, text.lastIndexOf('\n', MAX_ERRORS) + 1 || MAX_ERRORS)
  return `${kept}… and ${text.length - kept.length} characters more, in the log of the run\n`
}

/** A block of text as it is: its fence is longer than any within. */
function fenced(text) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

/** The pull request of GitHub Actions: the commit that it starts from, where its comments are, and whose the comments of this run are. */
function github({ GITHUB_API_URL, GITHUB_EVENT_PATH }) {
  const { pull_request: request, repository } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'))
  if (request === undefined) return { hasLogCommands: true }
  const issues = `${GITHUB_API_URL}/repos/${repository.full_name}/issues`
  return {
    base: request.base.sha,
    comments: `${issues}/${request.number}/comments`,
    commentAt: (id) => `${issues}/comments/${id}`,
    update: 'PATCH',
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}`, 'x-github-api-version': '2022-11-28' },
    me: `${GITHUB_API_URL}/user`,
    // The token of a job is that of an app, which has no user: GitHub refuses to say whose it is.
    isOwn: ({ user }, me) => (me === undefined ? user?.type === 'Bot' && user.login === 'github-actions[bot]' : user?.id === me),
    hasLogCommands: true,
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
    me: `${CI_API_V4_URL}/user`,
    isOwn: ({ author }, me) => me !== undefined && author?.id === me,
  }
}

/** Writes the comment of the earlier run anew, or a first one. */
async function comment(text) {
  if (forge.comments === undefined) return
  const earlier = await findComment()
  const path = earlier === undefined ? forge.comments : forge.commentAt(earlier.id)
  const answer = await ask(earlier === undefined ? 'POST' : forge.update, path, { body: text })
  if (answer.status === 403) process.stdout.write('::warning::no right to comment: the changes are in the summary of this run\n')
  else if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** The comment of an earlier run. Anyone can write a comment with the mark, so that the author counts too. */
async function findComment() {
  const me = await ownId()
  for (let page = 1; ; page++) {
    const path = `${forge.comments}?per_page=${PER_PAGE}&page=${page}`
    const answer = await ask('GET', path)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const found = await answer.json()
    const isMarked = ({ body = '' }) => [MARK, FORMER_MARK].some((mark) => body.startsWith(mark))
    const earlier = found.find((each) => isMarked(each) && forge.isOwn(each, me))
    if (earlier !== undefined || found.length < PER_PAGE) return earlier
  }
}

/** The id of the account whose token this is; undefined for the token of a job of GitHub. */
async function ownId() {
  const answer = await ask('GET', forge.me)
  return answer.ok ? (await answer.json()).id : undefined
}

function ask(method, path, body) {
  const headers = { ...forge.headers, ...(body && { 'content-type': 'application/json' }) }
  return fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
