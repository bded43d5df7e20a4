import type { ProjectRole, Position, Slice, RecordView } from '@fairlead/core/stores'
import type { ProjectRow } from './project.ts'

/** A user's membership of a project. */
export interface MemberRow {
  readonly projectId: string
  readonly userId: string
  readonly role: ProjectRole
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface ProjectView extends RecordView<ProjectRow, object> {
  /**
   * Lists the projects of which a user is a member, with the role of the user.
   *
   * @param soleOwner true for only those that the user owns, and that have no other active owner. Default: false
   */
  listOf(
    userId: string,
    slice: Slice,
    soleOwner?: boolean,
  ): Promise<readonly (ProjectRow & { readonly memberRole: ProjectRole })[]>
  /** Counts the projects that a user created. */
  countCreatedBy(userId: string): Promise<number>
}

export interface ProjectStore extends ProjectView {
  add(project: ProjectRow): Promise<void>
  /** Finds a project and locks it, and what belongs to it, against changes by other transactions until this one ends. */
  take(id: string): Promise<ProjectRow | undefined>
  replace(project: ProjectRow): Promise<void>
  /** Removes the project with its keys, members and invitations. */
  remove(id: string): Promise<void>
}

/** A member with the name and the email address of its user. The membership decides its position in lists. */
export interface NamedMember extends MemberRow, Position {
  /** The id of the user. */
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface MemberView {
  find(projectId: string, userId: string): Promise<MemberRow | undefined>
  /** Lists the members of a project. */
  list(projectId: string, slice: Slice): Promise<readonly NamedMember[]>
  /** The memberships of a user. The order is undefined. */
  ofUser(userId: string): Promise<readonly MemberRow[]>
  count(projectId: string): Promise<number>
  /**
   * Returns the projects that have no active owner: no member with the role `owner` whose user is not suspended. The
   * order is undefined.
   *
   * @param except a user who does not count. Default: none
   */
  withoutActiveOwner(projectIds: readonly string[], except?: string): Promise<readonly string[]>
}

/** Members are removed with their user and with their project. */
export interface MemberStore extends MemberView {
  /** Adds a member, or changes its role. The transaction has the lock of the project. */
  set(member: MemberRow): Promise<void>
  remove(projectId: string, userId: string): Promise<void>
}

/** An offer to become a member of a project. Whoever has its token can accept it once. */
export interface InvitationRow {
  readonly id: string
  readonly projectId: string
  readonly role: ProjectRole
  /** Only the user with this email address can accept it; null: any user. */
  readonly email: string | null
  /** The SHA-256 of the token in hexadecimal. */
  readonly tokenHash: string
  /** The id of the user who created it; null for a program. */
  readonly createdBy: string | null
  /** Times are in milliseconds since the epoch. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly acceptedAt: number | null
  /** The id of the user who accepted it. */
  readonly acceptedBy: string | null
}

export interface InvitationView {
  /** Lists the invitations of a project that can be accepted at a time, in milliseconds since the epoch. */
  listOpen(projectId: string, at: number, slice: Slice): Promise<readonly InvitationRow[]>
  countOpen(projectId: string, at: number): Promise<number>
  findByTokenHash(hash: string): Promise<InvitationRow | undefined>
}

/** Invitations are removed with their project. */
export interface InvitationStore extends InvitationView {
  add(invitation: InvitationRow): Promise<void>
  /** Marks an invitation as accepted. Returns false if it was accepted or removed before. Exact under concurrency. */
  accept(id: string, by: string, at: number): Promise<boolean>
  /** Removes an invitation of a project that was not accepted. Returns false if there is none. */
  remove(projectId: string, id: string): Promise<boolean>
  /** Removes the open invitations that a member of a project created. */
  removeCreatedBy(projectId: string, userId: string): Promise<void>
  /** Removes at most `limit` invitations that expired before that time, in milliseconds since the epoch. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}
