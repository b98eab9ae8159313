import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from './run-program.ts'

/** One line under a place in an editor. */
export interface Diagnostic {
  readonly message: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly Diagnostic[]; readonly items?: readonly object[] }
  readonly result?: unknown
}

/** An editor with one server of YAML, the one that VS Code, IntelliJ's plug-ins, Neovim and Helix use. */
export interface Editor {
  /** Opens a text as a file, and waits for what the server finds in it. */
  open(uri: string, text: string): Promise<readonly Diagnostic[]>
  /** Asks about a place of an open file: `textDocument/hover`, `textDocument/completion`; line and character count from 0. */
  ask(method: string, uri: string, line: number, character: number): Promise<unknown>
  close(): Promise<void>
}

const SETTINGS = { validate: true, hover: true, completion: true, schemaStore: { enable: false }, kubernetesCRDStore: { enable: false } }

/** Starts yaml-language-server and speaks the Language Server Protocol with it. */
export async function openEditor(): Promise<Editor> {
  const server = spawn(process.execPath, [join(ROOT, 'node_modules/yaml-language-server/bin/yaml-language-server'), '--stdio'])
  const answers = new Map<number, (result: unknown) => void>()
  const found = new Map<string, (diagnostics: readonly Diagnostic[]) => void>()
  let lastId = 0
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const request = (method: string, params: object) => {
    const id = ++lastId
    send({ id, method, params })
    return new Promise<unknown>((resolve) => answers.set(id, resolve))
  }
  server.stdout.on(
    'data',
    messageReader(({ id, method, params = {}, result }) => {
      if (method === 'textDocument/publishDiagnostics') found.get(params.uri ?? '')?.(params.diagnostics ?? [])
      else if (method === 'workspace/configuration')
        send({ id, result: params.items?.map(({ section }: { section?: string }) => (section === 'yaml' ? SETTINGS : {})) })
      else if (method !== undefined && id !== undefined) send({ id, result: null })
      else if (id !== undefined) answers.get(id)?.(result)
    }),
  )
  const capabilities = { workspace: { configuration: true }, textDocument: { publishDiagnostics: {}, hover: {}, completion: {} } }
  await request('initialize', { processId: process.pid, rootUri: null, capabilities })
  send({ method: 'initialized', params: {} })
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: SETTINGS } } })
  return {
    open: (uri, text) => {
      const diagnostics = new Promise<readonly Diagnostic[]>((resolve) => found.set(uri, resolve))
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } })
      return diagnostics
    },
    ask: (method, uri, line, character) => request(method, { textDocument: { uri }, position: { line, character } }),
    close: async () => {
      server.kill()
      await once(server, 'close')
    },
  }
}

/** Cuts a stream into messages: a header with the length, an empty line, JSON. */
function messageReader(take: (message: Message) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(
        rest
          .subarray(0, Math.max(end, 0))
          .toString()
          .match(/Content-Length: (\d+)/)?.[1],
      )
      if (end === -1 || rest.length < end + 4 + length) return
      const text = rest.subarray(end + 4, end + 4 + length).toString()
      rest = rest.subarray(end + 4 + length)
      take(JSON.parse(text))
    }
  }
}
