import { isJsonText } from '../../json.ts'
import { Copied, type EmittedValue, isContentList, isContentRecord } from '../emit/content.ts'
import { emitEntry, emitFlow, emitFlowEntry, emitJson, emitJsonEntry, emitValue, type Sequences } from '../emit/emit.ts'
import { blockEnd, columnOf, isFirstOnLine, lineBreakAt, ownCommentStart } from '../read/lines.ts'
import { findEntry, type MapNode, type Node, type SequenceNode } from '../read/node.ts'
import { applyAtEnd, applySplices, closingBeside, type Splice } from './apply-splices.ts'
import {
  blockSpan,
  flowSpan,
  heldEntry,
  heldMember,
  type Member,
  type MemberLines,
  memberLines,
  membersOf,
  type NodeInContext,
} from './members.ts'
import { replace } from './replace.ts'
import { type AddedRow, addedRow, goneRuns, isInOrder, isKept, type KeptRow, type Row, rewritten, rowsOf } from './rows.ts'
import { contentOf, type EditTree, isNode } from './tree.ts'

/** The members of an edited map or list: those of the text, and the rows of the result. */
interface MemberEdit {
  readonly node: MapNode | SequenceNode
  readonly members: readonly Member[]
  readonly rows: readonly Row[]
  /** The column of the keys or dashes; 0 in flow style. */
  readonly column: number
  readonly inFlow: boolean
}

/**
 * Returns the text with the edits of a tree.
 *
 * @param edits.root  the root of the text before the edits
 * @param sequences   returns the indentation of lists below a key; called only when a list is written
 */
export function editedText(
  text: string,
  { root, tree }: { readonly root: Node; readonly tree: EditTree },
  sequences: () => Sequences,
): string {
  const isJson = root.type === 'map' && root.flow && isJsonText(text)
  const splicer = new Splicer(text, { sequences, isJson })
  // The root is as if it were the item of a dash two columns before it.
  splicer.add(tree, { node: root, holder: 'item', lead: root.start, column: columnOf(text, root.start) - 2, inFlow: isJson })
  return applyAtEnd(text, root, splicer.splices)
}

/** The style of new values. */
interface Style {
  /** Returns the indentation of lists below a key; called only when a list is written. */
  readonly sequences: () => Sequences
  /** True to keep a text JSON. */
  readonly isJson: boolean
}

/** Finds the splices for a tree, in one walk over its changes. */
class Splicer {
  readonly #text: string
  readonly #style: Style
  readonly splices: Splice[] = []

  constructor(text: string, style: Style) {
    this.#text = text
    this.#style = style
  }

  /** Adds the splices of a tree. Returns the offset at which its value ends in the text: a later member is added below that line. */
  add(tree: EditTree, held: NodeInContext): number {
    if (isNode(tree)) return tree.end
    const changes = tree.type === 'edited-map' && held.node.type === 'map' ? tree.changesIn(held.node) : undefined
    if (changes !== undefined && held.node.type === 'map')
      return this.#change(changes, held.node, { inFlow: held.inFlow || held.node.flow })
    const edit = tree.type === 'written' || !isCollection(held.node) ? undefined : this.#edit(tree, held.node, held)
    if (edit === undefined || !edit.rows.some(isKept)) return this.#replace(held, contentOf(tree))
    return this.#collection(edit)
  }

  /** Adds the splices of entries that change in their places, and of new entries after the last. Visits only these entries. */
  #change(changes: ReadonlyMap<string, EditTree>, map: MapNode, around: Pick<NodeInContext, 'inFlow'>): number {
    const added: AddedRow[] = []
    let end = map.entries.at(-1)?.value.end ?? map.end
    for (const [key, tree] of changes) {
      const entry = findEntry(map, key)
      if (entry === undefined) added.push(addedRow(tree, key))
      else {
        const after = this.add(tree, heldEntry(this.#text, entry, around))
        if (entry === map.entries.at(-1)) end = after
      }
    }
    if (around.inFlow)
      this.#addInFlow(
        added.map((row) => this.#flowText(row)),
        end,
        map.end,
      )
    else if (added.length > 0) return this.#addBelow(end, added, columnOf(this.#text, map.start))
    return around.inFlow ? map.end : end
  }

  #edit(tree: Parameters<typeof rowsOf>[0], node: MapNode | SequenceNode, around: Pick<NodeInContext, 'inFlow'>): MemberEdit {
    const members = membersOf(node)
    const inFlow = around.inFlow || node.flow
    const column = inFlow ? 0 : columnOf(this.#text, members[0]?.start ?? node.start)
    return { node, members, rows: rowsOf(tree, members), column, inFlow }
  }

  #collection(edit: MemberEdit): number {
    if (!isInOrder(edit.rows)) return this.#reorder(edit)
    return edit.inFlow ? this.#editFlow(edit) : this.#editBlock(edit)
  }

  #replace(held: NodeInContext, content: EmittedValue): number {
    if (this.#style.isJson) {
      this.splices.push({ start: held.node.start, end: held.node.end, text: emitJson(content) })
      return held.node.end
    }
    const { splices, end } = replace(this.#text, held, content, this.#sequencesFor(content))
    this.splices.push(...splices)
    return end
  }

  #keep({ member, tree }: KeptRow, around: Pick<NodeInContext, 'inFlow'>): number {
    return isNode(tree) ? tree.end : this.add(tree, heldMember(this.#text, member, around))
  }

  #editFlow(edit: MemberEdit): number {
    const { node, members, rows } = edit
    for (const run of goneRuns(members, rows)) this.#remove(flowSpan(run))
    let end: number | undefined
    let added: string[] = []
    for (const row of rows) {
      if (!isKept(row)) added.push(this.#flowText(row))
      else {
        this.#addInFlow(added, end, row.member.start)
        added = []
        end = this.#keep(row, edit)
      }
    }
    this.#addInFlow(added, end, node.end)
    return node.end
  }

  /** Inserts texts after the member that ends at `end`, or before the first member. */
  #addInFlow(added: readonly string[], end: number | undefined, first: number): void {
    if (added.length === 0) return
    if (end === undefined) this.#insert(first, added.map((text) => `${text}, `).join(''))
    else this.#insert(end, added.map((text) => `, ${text}`).join(''))
  }

  #editBlock(edit: MemberEdit): number {
    for (const run of goneRuns(edit.members, edit.rows)) this.#remove(blockSpan(this.#text, run))
    let end: number | undefined
    let added: AddedRow[] = []
    for (const row of edit.rows) {
      if (!isKept(row)) added.push(row)
      else {
        if (end === undefined) this.#addFirst(added, edit)
        else this.#addBelow(end, added, edit.column)
        added = []
        end = this.#keep(row, edit)
      }
    }
    return this.#addBelow(end ?? edit.node.end, added, edit.column)
  }

  /** Inserts rows below all lines of the member that ends at `end`. Returns the offset of the insertion. */
  #addBelow(end: number, rows: readonly AddedRow[], column: number): number {
    if (rows.length === 0) return end
    const at = blockEnd(this.#text, end, column)
    const indent = ' '.repeat(column)
    for (const row of rows) this.#insert(at, `\n${indent}${this.#blockText(row, column, { isFollowed: at < this.#text.length })}`)
    return at
  }

  /** Inserts rows before the first member and its own comments. */
  #addFirst(rows: readonly AddedRow[], edit: MemberEdit): void {
    const start = edit.members[0]?.start ?? edit.node.start
    const indent = ' '.repeat(edit.column)
    const isFirst = isFirstOnLine(this.#text, start)
    const at = isFirst ? ownCommentStart(this.#text, start) : start
    for (const row of rows) {
      const written = this.#blockText(row, edit.column, { isFollowed: true })
      this.#insert(at, isFirst ? `${indent}${written}\n` : `${written}\n${indent}`)
    }
  }

  /** @param behind.isFollowed  false if no line break follows: a literal block would then lose its last line break */
  #blockText({ tree, key }: AddedRow, column: number, behind: { readonly isFollowed: boolean }): string {
    const content = contentOf(tree)
    const layout = { sequences: this.#sequencesFor(content), literals: behind.isFollowed }
    if (key !== undefined) return emitEntry(key, content, { ...layout, column })
    return `- ${emitValue(content, { ...layout, column: column + 2 })}`
  }

  /** Reorders members: moves whole lines where each member has its own lines; otherwise writes anew the members that cannot stay. */
  #reorder(edit: MemberEdit): number {
    const lines = edit.inFlow ? undefined : memberLines(this.#text, edit.members)
    if (lines === undefined) return this.#collection({ ...edit, rows: rewritten(edit.rows) })
    const parts = edit.rows.map((row) => (isKept(row) ? this.#linesOf(row, lines) : this.#newLine(row, edit, lines.start)))
    const lineBreak = lineBreakAt(this.#text, lines.start)
    const text = parts.map((part) => (part.endsWith('\n') ? part : part + lineBreak)).join('')
    this.splices.push({ start: lines.start, end: lines.end, text: text.slice(0, -lineBreak.length) })
    return lines.end
  }

  /** Returns the lines of a member with the changes in them. */
  #linesOf(row: KeptRow, { starts, below }: MemberLines): string {
    const inner = new Splicer(this.#text, this.#style)
    inner.#keep(row, IN_BLOCK)
    const isLast = row.at === starts.length - 1 && below === this.#text.length
    const closed = isLast ? closingBeside(this.#text, row.member.value, inner.splices) : []
    return applySplices(this.#text, [...inner.splices, ...closed], { start: starts[row.at] ?? below, end: starts[row.at + 1] ?? below })
  }

  #newLine(row: AddedRow, edit: MemberEdit, at: number): string {
    return this.#withLineBreaks(at, `${' '.repeat(edit.column)}${this.#blockText(row, edit.column, { isFollowed: true })}`)
  }

  #flowText({ key, tree }: AddedRow): string {
    const content = contentOf(tree)
    if (this.#style.isJson) return key === undefined ? emitJson(content) : emitJsonEntry(typeof key === 'string' ? key : key.text, content)
    return key === undefined ? emitFlow(content) : emitFlowEntry(key, content)
  }

  #sequencesFor(content: EmittedValue): Sequences {
    return holdsList(content) ? this.#style.sequences() : 'compact'
  }

  #remove(span: { readonly start: number; readonly end: number }): void {
    this.splices.push({ ...span, text: '' })
  }

  #insert(at: number, text: string): void {
    this.splices.push({ start: at, end: at, text: this.#withLineBreaks(at, text) })
  }

  #withLineBreaks(at: number, text: string): string {
    return text.includes('\n') ? text.replaceAll('\n', lineBreakAt(this.#text, at)) : text
  }
}

/** The context of moved lines, which are always in block style. */
const IN_BLOCK = { inFlow: false } as const

function isCollection(node: Node): node is MapNode | SequenceNode {
  return node.type === 'map' || node.type === 'sequence'
}

/** Returns true if the content has a list, so that the indentation of lists matters. */
function holdsList(content: EmittedValue): boolean {
  if (content instanceof Copied) return isCollection(content.node)
  return isContentList(content) || (isContentRecord(content) && Object.values(content).some(holdsList))
}
