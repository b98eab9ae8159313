import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { freePort } from './processes.ts'

/** A git server for everybody on this machine: git's own program behind HTTP. */
export interface GitServer {
  /** The address of the folder that holds the repositories. */
  readonly url: string
  readonly server: Server
}

/** Serves the git repositories of a folder. */
export async function serveGit(folder: string): Promise<GitServer> {
  const programs = spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim()
  const server = createServer(async (asked, answer) => {
    const { pathname, search } = new URL(asked.url ?? '/', 'http://127.0.0.1')
    const child = spawn(join(programs, 'git-http-backend'), {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        REQUEST_METHOD: asked.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: asked.headers['content-type'],
        HTTP_CONTENT_ENCODING: asked.headers['content-encoding'],
        GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? ''),
      },
    })
    asked.pipe(child.stdin)
    const output = await buffer(child.stdout)
    const end = output.indexOf('\r\n\r\n')
    for (const line of output.subarray(0, end).toString().split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
      if (name === 'Status') answer.statusCode = Number(value.slice(0, 3))
      else if (name !== '') answer.setHeader(name, value)
    }
    answer.end(output.subarray(end + 4))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}`, server }
}
