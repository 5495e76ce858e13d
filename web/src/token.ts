// The token of a server that asks for one: typed, or brought once by the address (#token=...), and kept for this tab alone.
const key = "geniepath-token";
let kept: string | null = null; // where the browser stores nothing, it lasts as long as the page

export function keep_token(token: string): void {
  kept = token;
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // storage is switched off
  }
}

export function kept_token(): string | null {
  if (kept !== null) return kept;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

// The address loses the token before it can be shared, bookmarked or seen.
export function take_token_from_address(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return;
  keep_token(given);
  history.replaceState(null, "", location.pathname + location.search);
}
