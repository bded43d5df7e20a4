import { signInMethods } from '../../auth/sign-in-methods.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { ThemeCard } from './theme-card.tsx'

export function SettingsPage() {
  return (
    <PageLayout title="Settings">
      <div className="flex max-w-2xl flex-col gap-4 md:gap-5">
        <ProfileCard />
        {signInMethods.passwords && <PasswordCard />}
        {signInMethods.passkeys !== undefined && <PasskeysCard />}
        <ThemeCard />
        <SessionsCard />
      </div>
    </PageLayout>
  )
}
