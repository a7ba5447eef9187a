"""A stand-in for the desktop's notifications, which a browser without a screen does not show."""

#: Milliseconds: longer than between two looks for a notification.
BETWEEN_LOOKS = 31_000
#: Records the notifications in place of the desktop's.
DESKTOP = """
window.told = [];
window.answer = "granted";
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return (this.permission = window.answer); }
  constructor(title, options) { window.told.push(`${title} (${options.body})`); }
};
"""
