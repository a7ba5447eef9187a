// made by client/ui/build.js from sources with the digest c6cb4fea31b5dd18f04095960c71d3116db8771baa850188f7870f36045c4028

// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n2) {
  n2 && n2.parentNode && n2.remove();
}
function m(r3, u3, i3, f4, o4) {
  var e3 = { type: r3, props: u3, key: i3, ref: f4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o4 || ++t, __i: -1, __u: 0 };
  return !o4 && n.vnode && n.vnode(e3), e3;
}
function $(n2) {
  return n2.children;
}
function x(n2, t3) {
  this.props = n2, this.context = t3, this.__g = 0;
}
function S(n2, t3) {
  if (null == t3) return n2.__ && S(n2.__, n2.__i + 1);
  for (var r3; t3 < n2.__k.length; t3++) if ((r3 = n2.__k[t3]) && r3.__e) return r3.__e;
  return "function" != typeof n2.type || n2.props.__P ? null : S(n2);
}
function C(t3) {
  var r3, u3 = t3.__v, i3 = u3.__e, f4 = [], o4 = [], e3 = t3.__P;
  e3 && ((r3 = _({ constructor: h }, u3)).__v = u3.__v + 1, n.vnode && n.vnode(r3), z(e3, r3, u3, t3.__n, e3.namespaceURI, 32 & u3.__u ? [i3] : null, f4, i3 || S(u3), 32 & u3.__u, o4), r3.__v = u3.__v, r3.__.__k[r3.__i] = r3, E(f4, r3, o4), u3.__ = u3.__e = null, r3.__e != i3 && j(r3));
}
function j(n2) {
  if ((n2 = n2.__) && n2.__c && !n2.props.__P) return n2.__e = null, n2.__k.some(function(t3) {
    return t3 && (n2.__e = t3.__e);
  }), j(n2);
}
function L(t3) {
  (8 & t3.__g || (t3.__g |= 8, u.push(t3), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n2, t3 = 1; u.length; ) u.length > t3 && u.sort(o), n2 = u.shift(), t3 = u.length, 8 & n2.__g && C(n2);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n2, t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, v3, w3, d3, _3, g3 = u3.__k || y, k2 = t3.length;
  for (l3 = q(r3, t3, g3, l3, k2), s3 = 0; s3 < k2; s3++) null != (v3 = r3.__k[s3]) && (h3 = ~v3.__i && g3[v3.__i] || p, v3.__i = s3, _3 = z(n2, v3, h3, i3, f4, o4, e3, l3, c3, a4), w3 = v3.__e, (h3.ref != v3.ref || 8 & h3.__u) && (h3.ref && G(h3.ref, null, v3, h3), v3.ref && a4.push(v3.ref, v3.__c || w3, v3)), d3 = d3 || w3, 4 & v3.__u ? (l3 = A(v3, l3, n2, !h3.__v), h3.__e && (h3.__e = null)) : "function" == typeof v3.type && void 0 !== _3 ? l3 = _3 : w3 && (l3 = w3.nextSibling), v3.__u &= -21);
  return r3.__e = d3, l3;
}
function q(n2, t3, r3, u3, i3) {
  var f4, o4, e3, l3, c3, a4, s3, p3, y3, v3 = r3.length, d3 = v3, _3 = 0, g3 = 0, k2 = n2.__k = Array(i3);
  for (f4 = 0; f4 < i3; f4++) null != (o4 = t3[f4]) && "boolean" != typeof o4 && "function" != typeof o4 ? ("object" != typeof o4 || o4.constructor === String ? o4 = k2[f4] = m(null, o4) : w(o4) ? o4 = k2[f4] = m($, { children: o4 }) : o4.constructor === h && o4.__b ? o4 = k2[f4] = m(o4.type, o4.props, o4.key, o4.ref, o4.__v) : k2[f4] = o4, l3 = f4 + _3, o4.__ = n2, o4.__b = n2.__b + 1, e3 = null, ~(c3 = o4.__i = P(o4, r3, l3, d3)) && (d3--, (e3 = r3[c3]) && (e3.__u |= 2)), e3 && e3.__v ? (o4.__u |= 16, c3 == l3 - 1 ? _3-- : c3 == l3 + 1 ? _3++ : c3 != l3 && (c3 > l3 ? _3-- : _3++, g3 = 1)) : (~c3 || (i3 > v3 ? _3-- : i3 < v3 && _3++), "function" != typeof o4.type && (o4.__u |= 4))) : k2[f4] = null;
  if (g3) {
    for (a4 = [], s3 = [], f4 = 0; f4 < i3; f4++) if ((o4 = k2[f4]) && 16 & o4.__u) {
      for (_3 = 0, p3 = a4.length; _3 < p3; ) a4[y3 = _3 + p3 >> 1] < o4.__i ? _3 = y3 + 1 : p3 = y3;
      a4[_3] = o4.__i, s3[f4] = _3 + 1;
    }
    for (_3 = a4.length; f4--; ) s3[f4] && (s3[f4] == _3 ? _3-- : k2[f4].__u |= 4);
  }
  if (d3) for (f4 = 0; f4 < v3; f4++) !(e3 = r3[f4]) || 2 & e3.__u || (e3.__e == u3 && (u3 = S(e3)), J(e3, e3));
  return u3;
}
function A(n2, t3, r3, u3) {
  var i3, f4, o4, e3;
  if ("function" == typeof n2.type) {
    if (n2.props.__P) return t3;
    if (i3 = n2.__k) for (f4 = 0; f4 < i3.length; f4++) i3[f4] && (i3[f4].__ = n2, t3 = A(i3[f4], t3, r3, false));
    return t3;
  }
  for (t3 && !t3.parentNode && (t3 = S(n2)) && !t3.parentNode && (t3 = null), o4 = n2.__e, e3 = t3; e3 && 8 == e3.nodeType; ) e3 = e3.nextSibling;
  for (o4 != e3 && (!u3 && r3.moveBefore && o4.parentNode ? r3.moveBefore(o4, t3) : r3.insertBefore(o4, t3 || null)), t3 = o4; (t3 = t3 && t3.nextSibling) && 8 == t3.nodeType && !t3.data.startsWith("$s"); ) ;
  return t3;
}
function P(n2, t3, r3, u3) {
  var i3, f4 = n2.key, o4 = n2.type, e3 = t3[r3], l3 = e3 && !(2 & e3.__u);
  if (null === e3 && null == f4 || l3 && f4 == e3.key && o4 == e3.type) return r3;
  if (u3 > (l3 ? 1 : 0)) {
    for (i3 = r3 - 1; i3 >= 0; i3--) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
    for (i3 = r3 + 1; i3 < t3.length; i3++) if ((e3 = t3[i3]) && !(2 & e3.__u) && f4 == e3.key && o4 == e3.type) return i3;
  }
  return -1;
}
function T(n2, t3, r3) {
  null == r3 && (r3 = ""), "-" == t3[0] ? n2.setProperty(t3, r3) : n2[t3] = r3;
}
function N(n2, t3, r3, u3, i3) {
  var f4, o4;
  if ("style" == t3) if ("string" == typeof r3) n2.style.cssText = r3;
  else {
    if ("string" == typeof u3 && (n2.style.cssText = u3 = ""), u3) for (t3 in u3) r3 && t3 in r3 || T(n2.style, t3);
    if (r3) for (t3 in r3) u3 && r3[t3] == u3[t3] || T(n2.style, t3, r3[t3]);
  }
  else if ("o" == t3[0] && "n" == t3[1]) "function" != typeof r3 && (r3 = null), "function" != typeof u3 && (u3 = null), (n2.__e || (n2.__e = {}))[t3] = r3, r3 && u3 || (o4 = a[t3] || (a[t3] = V(t3)), (n2.__a || (n2.__a = {}))[t3] = c, f4 = t3 != (t3 = t3.replace(l, "$1")), (t3 = t3.slice(2))[0] < "a" && (t3 = t3.toLowerCase()), r3 ? n2.addEventListener(t3, o4, f4) : n2.removeEventListener(t3, o4, f4));
  else {
    if ("http://www.w3.org/2000/svg" == i3) t3 = t3.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t3 && "height" != t3 && "href" != t3 && "list" != t3 && "form" != t3 && "tabIndex" != t3 && "download" != t3 && "rowSpan" != t3 && "colSpan" != t3 && "role" != t3 && "popover" != t3 && t3 in n2) try {
      return void (n2[t3] = null == r3 ? "" : r3);
    } catch (n3) {
    }
    if ("function" == typeof r3) return;
    null == r3 || false === r3 && "-" != t3[4] ? n2.removeAttribute(t3) : n2.setAttribute(t3, "popover" == t3 && 1 == r3 ? "" : r3);
  }
}
function V(t3) {
  return function(r3) {
    var u3 = this.__e;
    if (u3) {
      if (u3 = u3[t3], null == r3[e]) r3[e] = c++;
      else if (r3[e] < this.__a[t3]) return;
      return u3(n.event ? n.event(r3) : r3);
    }
  };
}
function z(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, p3, v3, d3, k2, b2, m3, M, C3, j2, L2, H2, q2, A3, O, P2, T3, N2, V2 = r3.type;
  if (r3.constructor !== h) return null;
  128 & u3.__u && (c3 = 32 & u3.__u, s3 = u3.__c.__z) && (r3.__u |= c3, p3 = o4 = [], 8 == s3.nodeType ? l3 = B(s3, o4) : o4.push(s3), l3 = o4[0] || l3), (s3 = n.__b) && s3(r3);
  n: if ("function" == typeof V2) {
    v3 = e3.length;
    try {
      if (M = r3.props, C3 = (s3 = V2.prototype) && s3.render, j2 = (s3 = V2.contextType) && i3[s3.__c], L2 = s3 ? j2 ? j2.props.value : s3.__ : i3, (d3 = u3.__c) ? (r3.__c = d3, 2 & d3.__g && (d3.__g |= 1)) : (C3 ? r3.__c = d3 = new V2(M, L2) : (r3.__c = d3 = new x(M, L2), d3.constructor = V2, d3.render = K), j2 && j2.sub(d3), d3.state || (d3.state = {}), d3.__n = i3, d3.__g |= 8, d3.__h = [], d3.__k = []), C3 && (d3.__s || (d3.__s = d3.state), V2.getDerivedStateFromProps && (d3.__s == d3.state && (d3.__s = _({}, d3.__s)), _(d3.__s, V2.getDerivedStateFromProps(M, d3.__s)))), k2 = d3.props, b2 = d3.state, d3.__v = r3, u3.__c) {
        if (M !== k2 && C3 && !V2.getDerivedStateFromProps && d3.componentWillReceiveProps && d3.componentWillReceiveProps(M, L2), r3.__v == u3.__v && !(8 & d3.__g) || !(4 & d3.__g) && d3.shouldComponentUpdate && false === d3.shouldComponentUpdate(M, d3.__s, L2)) {
          r3.__v != u3.__v && (d3.props = M, d3.state = d3.__s, d3.__g &= -9), r3.__e = u3.__e, r3.__k = u3.__k, r3.__k.some(function(n2) {
            n2 && (n2.__ = r3);
          }), y.push.apply(d3.__h, d3.__k), d3.__k = [], d3.__h.length && e3.push(d3), l3 = S(u3);
          break n;
        }
        d3.componentWillUpdate && d3.componentWillUpdate(M, d3.__s, L2), C3 && d3.componentDidUpdate && d3.__h.push(function() {
          d3.componentDidUpdate(k2, b2, m3);
        });
      } else C3 && !V2.getDerivedStateFromProps && d3.componentWillMount && d3.componentWillMount(), C3 && d3.componentDidMount && d3.__h.push(d3.componentDidMount);
      d3.context = L2, d3.props = M, d3.__P = t3, d3.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d3.__g &= -9, H2 && H2(r3), s3 = d3.render(d3.props, d3.state = d3.__s, d3.context);
      } while (8 & d3.__g && ++q2 < 25);
      C3 && (y.push.apply(d3.__h, d3.__k), d3.__k = []), d3.state = d3.__s, d3.getChildContext && (i3 = _({}, i3, d3.getChildContext())), C3 && u3.__c && d3.getSnapshotBeforeUpdate && (m3 = d3.getSnapshotBeforeUpdate(k2, b2)), A3 = s3 && s3.type === $ && null == s3.key ? s3.props.children : s3, M.__P && (s3 = l3, f4 = (t3 = M.__P).namespaceURI, c3 = o4 = null, u3.props && u3.props.__P != t3 && (u3.__k.some(function(n2) {
        n2 && J(n2, n2);
      }), u3.__k = null), l3 = u3.__k ? S(u3, 0) : null), l3 = I(t3, w(A3) ? A3 : [A3], r3, u3, i3, f4, o4, e3, l3, c3, a4), M.__P && (r3.__e = null, l3 = s3), r3.__u &= -161, p3 && p3.some(g), d3.__h.length && e3.push(d3), 1 & d3.__g && (d3.__g &= -4);
    } catch (t4) {
      if (e3.length = v3, r3.__v = null, c3 || o4) if (t4 && t4.then) {
        if (r3.__u |= 128 | c3, o4) {
          for (~(T3 = o4.indexOf(l3 || void 0)) || (T3 = o4.length); (N2 = o4[T3 - 1]) && 8 == N2.nodeType; ) T3--;
          for (; T3 < o4.length; T3++) if (N2 = o4[T3]) if (o4[T3] = null, O) {
            if (N2 == P2) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P2 = B(O = N2));
          }
        }
        if (!O) {
          for (; l3 && 8 == l3.nodeType && l3.nextSibling; ) l3 = l3.nextSibling;
          O = l3;
        }
        (s3 = B(O = r3.__c.__z || (r3.__c.__z = O))) ? (r3.__e = O, l3 = s3) : r3.__e = l3, l3 = l3 && l3.nextSibling;
      } else o4 && o4.some(g);
      else r3.__e = u3.__e;
      r3.__k || (r3.__k = u3.__k || []), t4 && t4.then || D(r3), n.__e(t4, r3, u3);
    }
  } else l3 = r3.__e = F(u3.__e, r3, u3, i3, f4, o4, e3, c3, a4, t3);
  return (s3 = n.diffed) && s3(r3), l3;
}
function B(n2, t3) {
  if (n2 && 8 == n2.nodeType && n2.data.startsWith("$s")) for (var r3 = 1; n2 = n2.nextSibling; ) {
    if (8 == n2.nodeType) {
      if (n2.data.startsWith("$s")) r3++;
      else if (n2.data.startsWith("/$s") && !--r3) return n2;
    }
    t3 && t3.push(n2);
  }
}
function D(n2) {
  n2 && (n2.__c && (n2.__c.__g |= 4), n2.__k && n2.__k.some(D));
}
function E(t3, r3, u3) {
  for (var i3 = 0; i3 < u3.length; ) G(u3[i3++], u3[i3++], u3[i3++]);
  n.__c && n.__c(r3, t3), t3.some(function(r4) {
    try {
      t3 = r4.__h, r4.__h = [], t3.some(function(n2) {
        n2.call(r4);
      });
    } catch (t4) {
      n.__e(t4, r4.__v);
    }
  });
}
function F(t3, r3, u3, i3, f4, o4, e3, l3, c3, a4) {
  var s3, h3, y3, _3, k2, b2, m3, M, $2 = u3.props || p, x2 = r3.props, C3 = r3.type;
  if ("svg" == C3 ? f4 = "http://www.w3.org/2000/svg" : "math" == C3 ? f4 = "http://www.w3.org/1998/Math/MathML" : f4 || (f4 = "http://www.w3.org/1999/xhtml"), o4) {
    for (s3 = 0; s3 < o4.length; s3++) if ((k2 = o4[s3]) && (C3 ? k2.localName == C3 : 3 == k2.nodeType)) {
      t3 = k2, o4[s3] = null;
      break;
    }
  }
  if (!t3) {
    if (M = a4.ownerDocument || document, !C3) return M.createTextNode(x2);
    t3 = M.createElementNS(f4, C3, x2.is ? x2 : a4), l3 && (n.__m && n.__m(r3, o4), l3 = false), o4 = null;
  }
  if (C3) {
    if (a4 = "template" == C3 && t3.content || t3, o4 = "textarea" == C3 && null != x2.defaultValue ? null : o4 && d.call(a4.childNodes), !l3 && o4) for ($2 = {}, s3 = 0; s3 < t3.attributes.length; s3++) $2[(k2 = t3.attributes[s3]).name] = k2.value;
    for (s3 in $2) k2 = $2[s3], "dangerouslySetInnerHTML" == s3 ? y3 = k2 : "children" == s3 || s3 in x2 || "value" == s3 && "defaultValue" in x2 || "checked" == s3 && "defaultChecked" in x2 || N(t3, s3, null, k2, f4);
    for (s3 in x2) k2 = x2[s3], "children" == s3 ? _3 = k2 : "dangerouslySetInnerHTML" == s3 ? h3 = k2 : "value" == s3 ? b2 = k2 : "checked" == s3 ? m3 = k2 : l3 && "function" != typeof k2 || $2[s3] === k2 || N(t3, s3, k2, $2[s3], f4);
    h3 ? (l3 || y3 && (h3.__html == y3.__html || h3.__html == t3.innerHTML) || (t3.innerHTML = h3.__html), r3.__k = []) : (y3 && (t3.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f4 && v.test(C3)) && (f4 = "http://www.w3.org/1999/xhtml"), I(a4, w(_3) ? _3 : [_3], r3, u3, i3, f4, o4, e3, o4 ? o4[0] : u3.__k && S(u3, 0), l3, c3), o4 && o4.some(g)), l3 && "textarea" != C3 || (s3 = "value", "progress" == C3 && null == b2 ? t3.removeAttribute(s3) : null == b2 || b2 === t3[s3] && ("progress" != C3 || b2) || N(t3, s3, b2, $2[s3], f4), s3 = "checked", null != m3 && m3 != t3[s3] && N(t3, s3, m3, $2[s3], f4));
  } else $2 === x2 || l3 && t3.data == x2 || (t3.data = x2);
  return t3;
}
function G(t3, r3, u3, i3) {
  try {
    "function" == typeof t3 ? r3 ? r3.__x = t3(r3) || 1 : i3 && (i3 = i3.__c || i3.__e) && (r3 = i3.__x) && (i3.__x = null, "function" == typeof r3 ? r3() : t3(null)) : t3.current = r3;
  } catch (t4) {
    n.__e(t4, u3);
  }
}
function J(t3, r3, u3) {
  var i3, f4, o4, e3;
  if (n.unmount && n.unmount(t3), !(i3 = t3.ref) || i3.current && i3.current != t3.__e || G(i3, null, r3, t3), i3 = t3.__c) {
    if (i3.componentWillUnmount) try {
      i3.componentWillUnmount();
    } catch (t4) {
      n.__e(t4, r3);
    }
    i3.__P = i3.__n = null;
  }
  if (i3 = t3.__k) for (e3 = 0; e3 < i3.length; e3++) i3[e3] && J(i3[e3], r3, "function" != typeof t3.type || u3 && !t3.props.__P);
  !u3 && (i3 = t3.__c) && (i3 = i3.__z) && (f4 = B(i3, o4 = [])) && (i3 == t3.__e && o4.some(g), g(f4), g(i3)), u3 || g(t3.__e), t3.__e = t3.__c = t3.__ = null;
}
function K(n2, t3, r3) {
  return this.constructor(n2, r3);
}
function Q(t3, r3) {
  var u3, i3, f4, o4;
  n.__ && n.__(t3, r3), 9 == r3.nodeType && (r3 = r3.documentElement), i3 = (u3 = t3 && 32 & t3.__u) ? null : r3.__k, r3.__k = m($, { children: [t3] }), f4 = [], o4 = [], z(r3, r3.__k, i3 || p, p, r3.namespaceURI, i3 ? null : r3.firstChild ? d.call(r3.childNodes) : null, f4, i3 ? i3.__e : r3.firstChild, u3, o4), E(f4, r3.__k, o4), r3.__k.props.children = null;
}
n = { __e: function(n2, t3, r3, u3) {
  for (var i3, o4, e3; t3 = t3.__; ) if ((i3 = t3.__c) && !(1 & i3.__g)) {
    i3.__g |= 4;
    try {
      if ((e3 = (o4 = i3.constructor) && o4.getDerivedStateFromError) && i3.setState(o4.getDerivedStateFromError(n2)), i3.componentDidCatch && (i3.componentDidCatch(n2, u3 || {}), e3 = 1), e3 && 8 & i3.__g) return void (i3.__g |= 2);
    } catch (t4) {
      n2 = t4;
    }
  }
  throw f = 0, n2;
} }, t = 0, r = function(n2) {
  return null != n2 && n2.constructor === h;
}, x.prototype.setState = function(n2, t3) {
  var r3 = this.__s;
  r3 && r3 != this.state || (r3 = this.__s = _({}, this.state)), "function" == typeof n2 && (n2 = n2(_({}, r3), this.props)), n2 && (_(r3, n2), this.__v && (t3 && this.__k.push(t3), L(this)));
}, x.prototype.forceUpdate = function(n2) {
  this.__v && (this.__g |= 4, n2 && this.__h.push(n2), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n2, t3) {
  return n2.__v.__b - t3.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n2, t3) {
  a2.__h && a2.__h(r2, n2, f2 || t3), f2 = 0;
  var u3 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n2 >= u3.__.length && u3.__.push({}), u3.__[n2];
}
function d2(n2) {
  return f2 = 1, _2(G2, n2);
}
function _2(n2, u3, i3) {
  var f4 = y2(t2++, 2);
  if (f4.t = n2, !f4.__c && (f4.__ = [i3 ? i3(u3) : G2(void 0, u3), function(n3) {
    var t3 = (f4.__N || f4.__)[0], r3 = f4.t(t3, n3);
    o2(t3, r3) || (f4.__N = [r3, f4.__[1]], f4.__c.setState({}));
  }], f4.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c3 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n3, t3, r3) {
      var u4 = this.__H;
      if (!u4) return true;
      var i4 = false, f5 = this.props != n3;
      if (u4.__.some(function(n4) {
        n4.__N && (i4 = true, o2(n4.__[0], n4.__N[0]) || (f5 = true));
      }), c3) {
        var e3 = c3.call(this, n3, t3, r3);
        return i4 ? e3 || f5 : e3;
      }
      return !i4 || f5;
    };
  }
  return f4.__;
}
function A2(n2, u3) {
  var i3 = y2(t2++, 3);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = true, i3.__ = n2, i3.u = u3, r2.__H.__h.push(i3));
}
function F2(n2, u3) {
  var i3 = y2(t2++, 4);
  !a2.__s && E2(i3.__H, u3) && (i3.__P = false, i3.__ = n2, i3.u = u3, r2.__h.push(i3));
}
function T2(n2) {
  return f2 = 5, w2(function() {
    return { current: n2 };
  }, []);
}
function w2(n2, r3) {
  var u3 = y2(t2++, 7);
  return E2(u3.__H, r3) && (u3.__ = n2(), u3.__H = r3), u3.__;
}
function b(n2, t3) {
  return f2 = 8, w2(function() {
    return n2;
  }, t3);
}
function g2() {
  var n2;
  do {
    for (; n2 = e2.shift(); ) try {
      C2(n2);
    } catch (t4) {
      a2.__e(t4, { __: (n2 = n2.__P) && n2.__v });
    }
    for (; n2 = c2.shift(); ) {
      var t3 = n2.__H;
      if (n2.__P && t3) try {
        t3.__h.some(C2), t3.__h.some(D2), t3.__h = [];
      } catch (r3) {
        t3.__h = [], a2.__e(r3, n2.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n2) {
  r2 = null, v2 && v2(n2);
}, a2.__ = function(n2, t3) {
  n2 && t3.__k && t3.__k.__m && (n2.__m = t3.__k.__m), p2 && p2(n2, t3);
}, a2.__r = function(n2) {
  l2 && l2(n2), t2 = 0;
  var i3 = (r2 = n2.__c).__H;
  i3 && (u2 == r2 ? r2.__h = [] : (i3.__h.some(C2), i3.__h.some(D2), t2 = 0), i3.__h = [], i3.__.some(function(n3) {
    n3.__N && (n3.__ = n3.__N), n3.u = n3.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n2) {
  m2 && m2(n2);
  var t3 = n2.__c;
  t3 && t3.__H && (t3.__H.__h.length && B2(c2.push(t3)), t3.__H.__.some(function(n3) {
    n3.u && (n3.__H = n3.u);
  })), u2 = r2 = null;
}, a2.__c = function(n2, t3) {
  t3.some(function(n3) {
    try {
      n3.__h.some(C2), n3.__h = n3.__h.filter(function(n4) {
        return !n4.__ || D2(n4);
      });
    } catch (t4) {
      n3.__h = [function() {
        throw t4;
      }];
    }
  }), h2 && h2(n2, t3);
}, a2.unmount = function(n2) {
  s2 && s2(n2);
  var t3, r3, u3 = n2.__c;
  u3 && u3.__H && (u3.__H.__.some(function(u4) {
    try {
      if (u4.__P && u4.__c) {
        if (void 0 === r3) {
          for (r3 = n2.__; r3 && (!r3.__c || !r3.__c.__P); ) r3 = r3.__;
          r3 = r3 && r3.__c;
        }
        u4.__P = r3, B2(e2.push(u4));
      } else C2(u4);
    } catch (n3) {
      t3 = n3;
    }
  }), u3.__H = void 0, t3 && a2.__e(t3, u3.__v));
};
var k = "function" == typeof requestAnimationFrame;
function z2(n2) {
  var t3, r3 = function() {
    clearTimeout(u3), k && cancelAnimationFrame(t3), setTimeout(n2);
  }, u3 = setTimeout(r3, 35);
  k && (t3 = requestAnimationFrame(r3));
}
function B2(n2) {
  1 != n2 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n2) {
  var t3 = r2, u3 = n2.__c;
  "function" == typeof u3 && (n2.__c = void 0, u3()), r2 = t3;
}
function D2(n2) {
  var t3 = r2;
  n2.__c = n2.__(), r2 = t3;
}
function E2(n2, t3) {
  return !n2 || n2.length != t3.length || t3.some(function(t4, r3) {
    return !o2(t4, n2[r3]);
  });
}
function G2(n2, t3) {
  return "function" == typeof t3 ? t3(n2) : t3;
}

// src/entering.ts
var KEY = "pass";
var LINK = "#link=";
async function enter() {
  if (!location.hash.startsWith(LINK)) return;
  const link = location.hash.slice(LINK.length);
  const answer = await fetch("/api/enter", { method: "POST", body: link }).catch(() => null);
  if (!answer) return;
  history.replaceState(null, "", "#/now");
  if (answer.ok) localStorage.setItem(KEY, (await answer.json()).pass);
}
function proof() {
  return { Authorization: `Bearer ${localStorage.getItem(KEY) ?? ""}` };
}

// src/server.ts
var LONGEST_READ = 45e3;
var Refusal = class extends Error {
  code;
  remedy;
  constructor(code, message, remedy) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
};
async function read(path, query = {}) {
  const given = Object.entries(query).filter((pair) => Boolean(pair[1]));
  return call("GET", given.length ? `${path}?${new URLSearchParams(given)}` : path);
}
async function change(path, body) {
  return call("POST", path, body);
}
function ofJob(name, call2 = "") {
  return `jobs/${encodeURIComponent(name)}${call2 && `/${call2}`}`;
}
async function call(method, path, body) {
  const signal = method === "GET" ? AbortSignal.timeout(LONGEST_READ) : null;
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: proof(),
      signal,
      ...body && { body: JSON.stringify(body) }
    });
  } catch {
    throw new Refusal("no_server", "The page's server does not answer.", "Start `sagequeue ui` again.");
  }
  const content = await answer.json();
  if (!answer.ok) throw new Refusal(content.error, content.message, content.remedy);
  return content;
}

// src/polling.ts
var SOONEST = 1500;
var LATEST = 15e3;
var LATEST_AFTER_ERRORS = 6e4;
function usePolled(load, about, latest = LATEST) {
  const [value, setValue] = d2(null);
  const [error, setError] = d2(null);
  const loading = T2(load);
  loading.current = load;
  const lookNow = T2(() => {
  });
  A2(() => {
    let timer = 0;
    let pause = SOONEST;
    let seen = "";
    let isOver = false;
    let round = 0;
    async function look() {
      clearTimeout(timer);
      const mine = ++round;
      try {
        const found = await loading.current();
        if (isOver || mine !== round) return;
        const text = JSON.stringify(found);
        pause = text === seen ? Math.min(pause * 1.4, latest) : SOONEST;
        if (text !== seen) setValue(found);
        seen = text;
        setError(null);
      } catch (cause) {
        if (isOver || mine !== round) return;
        setError(cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), "Reload the page."));
        pause = Math.min(pause * 2, LATEST_AFTER_ERRORS);
      }
      if (!document.hidden) timer = window.setTimeout(look, pause);
    }
    function lookAgain() {
      pause = SOONEST;
      if (!document.hidden) void look();
    }
    setValue(null);
    setError(null);
    lookNow.current = lookAgain;
    document.addEventListener("visibilitychange", lookAgain);
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookAgain);
    };
  }, [about, latest]);
  return { value, error, look: b(() => lookNow.current(), []) };
}
function useNow(every = 1e3) {
  const [now, setNow] = d2(Date.now());
  A2(() => {
    const timer = window.setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

// src/route.ts
var VIEWS = {
  now: "Now",
  capacity: "Capacity",
  teams: "Teams",
  spending: "Spending",
  history: "History",
  guardrails: "Guardrails"
};
function useRoute() {
  const [route, setRoute] = d2(routeOf(location.hash));
  F2(() => {
    const follow = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
function linkTo(job) {
  return `#/job/${encodeURIComponent(job)}`;
}
function routeOf(hash) {
  const [, view = "now", name = ""] = hash.split("/");
  if (view === "job") return { view, job: decodeURIComponent(name) };
  return { view: view in VIEWS ? view : "now", job: "" };
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t3, e3, n2, u3, a4, i3) {
  e3 || (e3 = {});
  var c3, l3, p3 = e3;
  if ("ref" in p3 && "function" != typeof t3) for (l3 in p3 = {}, e3) "ref" == l3 ? c3 = e3[l3] : p3[l3] = e3[l3];
  var s3 = { type: t3, props: p3, key: n2, ref: c3, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a4 || i3) && (s3.__source = a4, s3.__self = i3), n.vnode && n.vnode(s3), s3;
}

// src/trouble.tsx
function Trouble({ error }) {
  return /* @__PURE__ */ a3("p", { class: "trouble", role: "alert", children: [
    /* @__PURE__ */ a3("strong", { children: error.message }),
    " ",
    error.remedy
  ] });
}

// src/contract.ts
var QUEUED = /* @__PURE__ */ new Set(["pending", "preempted"]);
var LIVE = /* @__PURE__ */ new Set(["launching", "running", "stopping"]);
var ENDED = /* @__PURE__ */ new Set(["completed", "failed", "stopped"]);

// src/words.ts
function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1e3));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${String(minutes % 60).padStart(2, "0")} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}
function since(time2, now) {
  return span(now - Date.parse(time2));
}
function clock(time2, now = Date.now()) {
  const moment = new Date(time2);
  const hours = moment.toLocaleTimeString("en-GB");
  return new Date(now).toDateString() === moment.toDateString() ? hours : `${day(moment)} ${hours}`;
}
function day(moment) {
  const two = (part) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
function instances(job) {
  return told(job.instances, job.preferences?.length ? " or " : " + ");
}
function told(wanted, among = " + ") {
  return Object.entries(wanted).map(([kind, count]) => `${count} \xD7 ${kind}`).join(among);
}
function total(wanted) {
  return Object.values(wanted).reduce((sum2, count) => sum2 + count, 0);
}
function person(arn) {
  return arn.split(":").at(-1)?.replace(/^(assumed-role|user)\//, "") || arn;
}
function start(starts, now) {
  if (!starts?.earliest) return "unknown";
  const soonest = ahead(starts.earliest, now);
  if (!starts.latest) return `in ${soonest} or later`;
  const longest = ahead(starts.latest, now);
  if (longest === "0 s") return "now";
  return soonest === longest ? `in ${soonest}` : `in ${soonest} to ${longest}`;
}
function ahead(time2, now) {
  return span(Date.parse(time2) - now);
}
function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
function why(job) {
  const attempt = job.attempts.at(-1);
  const said2 = LIVE.has(job.state) && job.reason.code === "running" ? attempt?.message || attempt?.secondary_status : "";
  return said2 || job.reason.message || job.reason.code.replaceAll("_", " ");
}

// src/capacity_view.tsx
var SHOWN = 20;
function CapacityView({ queue }) {
  const now = useNow(1e4);
  const calendar = usePolled(() => read("calendar"), "calendar");
  const pools = usePolled(() => read("pools"), "pools");
  const errors = [calendar.error, pools.error].filter((error) => error !== null);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Capacity" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "budget-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "budget-title", children: "Budget" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "The instances that the queue may use, and their use." })
      ] }),
      queue ? /* @__PURE__ */ a3(Budget, { queue }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "calendar-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "calendar-title", children: "Calendar" }),
        calendar.value?.rests && /* @__PURE__ */ a3("span", { class: "quiet", children: "On hold: an operator has set a budget." })
      ] }),
      calendar.value && /* @__PURE__ */ a3(Periods, { periods: calendar.value.periods, now })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "shortages-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "shortages-title", children: "Capacity shortages" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "One job at a time retries; the other jobs wait." })
      ] }),
      /* @__PURE__ */ a3(Shortages, { shortages: queue?.shortages ?? [], now })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "pools-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "pools-title", children: "Warm pools" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Instances that SageMaker keeps after a job. They count against the budget, and are billed." })
      ] }),
      pools.value && /* @__PURE__ */ a3(Pools, { pools: pools.value.pools, now })
    ] })
  ] });
}
function Budget({ queue }) {
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instance type" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Budget" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Held" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Free" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: Object.entries(queue.budget).map(([kind, line]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: kind }),
      /* @__PURE__ */ a3("td", { class: "number", children: line.limit }),
      /* @__PURE__ */ a3("td", { class: "number", children: line.held }),
      /* @__PURE__ */ a3("td", { class: "number", children: line.free })
    ] }, kind)) })
  ] });
}
function Periods({ periods, now }) {
  if (periods.length < 2) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "The budget does not change in the coming weeks." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "From" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Budget" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Windows" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Jobs over budget" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: periods.slice(0, SHOWN).map((period, number) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: number ? clock(period.begins, now) : "now" }),
      /* @__PURE__ */ a3("td", { children: told(period.budget) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: period.windows.join(", ") || /* @__PURE__ */ a3("span", { class: "quiet", children: "none" }) }),
      /* @__PURE__ */ a3("td", { children: [...new Set(Object.values(period.excess))].map((one) => one.replaceAll("_", " ")).join(", ") })
    ] }, period.begins)) })
  ] });
}
function Shortages({ shortages, now }) {
  if (!shortages.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "No known shortages." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instance type" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Subnet" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Failures" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Last failure" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Next try" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: shortages.map((one) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: [
        one.instance_type,
        one.spot && ", spot"
      ] }),
      /* @__PURE__ */ a3("td", { children: one.subnet ?? "any" }),
      /* @__PURE__ */ a3("td", { class: "number", children: one.failures }),
      /* @__PURE__ */ a3("td", { class: "quiet", children: clock(one.failed_at, now) }),
      /* @__PURE__ */ a3("td", { children: clock(one.next_try_at, now) })
    ] }, `${one.instance_type} ${one.spot} ${one.subnet}`)) })
  ] });
}
function Pools({ pools, now }) {
  if (!pools.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Attempt" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Ends in" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Jobs that fit" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: pools.map((pool) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(pool.job), children: pool.name }) }),
      /* @__PURE__ */ a3("td", { children: told(pool.instances) }),
      /* @__PURE__ */ a3("td", { class: "number", children: pool.since && since(pool.since, now) }),
      /* @__PURE__ */ a3("td", { class: "number", children: pool.until && span(Date.parse(pool.until) - now) }),
      /* @__PURE__ */ a3("td", { class: "number", children: pool.cost === null ? "no known price" : `$${pool.cost.toFixed(2)}` }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: pool.lent_to ? `used by ${pool.lent_to}` : pool.fits.join(", ") || "none" })
    ] }, pool.name)) })
  ] });
}

// src/actions.ts
var VERBS = {
  top: { label: "To the top", key: "t", meaning: "move before all other waiting jobs of its priority" },
  priority: { label: "Priority\u2026", key: "p", meaning: "higher starts first" },
  hold: { label: "Hold", key: "h", meaning: "keep it from starting until it is released; it keeps its age" },
  release: { label: "Release", key: "r", meaning: "put it back into the queue" },
  requeue: { label: "Queue again", key: "q", meaning: "stop it and queue it again, or retry it" },
  cancel: { label: "Cancel\u2026", key: "c", meaning: "remove it from the queue, or stop it" }
};
function against(verb, job, me) {
  return againstState(verb, job) ?? (me && againstCaller(job, me));
}
function againstState(verb, job) {
  const waits = QUEUED.has(job.state);
  const is = `${job.name} is ${job.state}`;
  switch (verb) {
    case "top":
      return waits ? null : `${is}; only waiting jobs can move to the top.`;
    case "hold":
      return waits ? null : `${is}; only waiting jobs can be held.`;
    case "release":
      return job.state === "held" ? null : `${is}; only held jobs can be released.`;
    case "priority":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "cancel":
      return ENDED.has(job.state) ? `${is}; ended jobs cannot be changed.` : null;
    case "requeue":
      return waits || job.state === "held" || job.state === "completed" ? `${is}; only running, failed, stopped and parked jobs can be queued again.` : null;
  }
}
function againstCaller(job, me) {
  if (me.verbs.includes("operate")) return null;
  if (me.verbs.includes("control_team")) return null;
  if (!me.verbs.includes("control_own")) return "You have read access only; an operator can grant you more.";
  const isOwn = principal(job.owner) === principal(me.arn);
  return isOwn ? null : `${job.name} belongs to another caller; its owner or an operator can do this.`;
}
function principal(arn) {
  const [, , , , account, name = ""] = arn.split(":");
  const [kind, role] = name.split("/");
  return kind === "assumed-role" ? `${account}:role/${role}` : `${account}:${name}`;
}
async function act(verb, name, priority) {
  return change(ofJob(name, verb), priority === void 0 ? void 0 : { priority });
}
function undoing(verb, before) {
  switch (verb) {
    case "hold":
      return { label: "Undo", undo: () => act("release", before.name) };
    case "release":
      return { label: "Undo", undo: () => act("hold", before.name) };
    case "priority":
      return { label: "Undo", undo: () => act("priority", before.name, before.priority) };
    case "cancel":
      return LIVE.has(before.state) ? null : { label: "Queue again", undo: () => act("requeue", before.name) };
    default:
      return null;
  }
}

// src/acting.tsx
function useActing(acting) {
  const [question, setQuestion] = d2(null);
  function ask(verb, jobs) {
    const objection = objectionTo(verb, jobs, acting.me);
    if (objection) acting.notes.tell(objection);
    else if (verb === "priority" || verb === "cancel" || verb === "requeue" && jobs.some((job) => LIVE.has(job.state)))
      setQuestion({ verb, jobs: able(verb, jobs, acting.me) });
    else void carryOut(verb, able(verb, jobs, acting.me), acting);
  }
  const dialog = question && /* @__PURE__ */ a3(
    Dialog,
    {
      question,
      me: acting.me,
      onAnswer: (priority) => {
        setQuestion(null);
        if (priority !== null) void carryOut(question.verb, question.jobs, acting, priority);
      }
    }
  );
  return { ask, dialog };
}
function ActionBar(props) {
  return /* @__PURE__ */ a3("div", { class: "actions", role: "toolbar", "aria-label": "Actions", children: props.verbs.map((verb) => {
    const objection = objectionTo(verb, props.jobs, props.me);
    return /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        class: verb === "cancel" ? "grave" : "",
        "aria-disabled": Boolean(objection),
        title: objection ?? `${VERBS[verb].meaning} (key ${VERBS[verb].key})`,
        onClick: () => props.onAct(verb, props.jobs),
        children: [
          VERBS[verb].label,
          objection && /* @__PURE__ */ a3("span", { class: "unseen", children: [
            " ",
            objection
          ] })
        ]
      },
      verb
    );
  }) });
}
function objectionTo(verb, jobs, me) {
  const [first] = jobs;
  if (!first) return "Select jobs first.";
  return able(verb, jobs, me).length ? null : against(verb, first, me);
}
function able(verb, jobs, me) {
  return jobs.filter((job) => against(verb, job, me) === null);
}
var DONE = {
  top: "moved to the top",
  priority: "now with priority",
  hold: "held",
  release: "released",
  requeue: "queued again",
  cancel: "cancelled"
};
async function carryOut(verb, jobs, acting, priority) {
  const done = [];
  for (const job of jobs) {
    try {
      await act(verb, job.name, verb === "priority" ? priority : void 0);
      done.push(job);
    } catch (cause) {
      acting.notes.refuse(job.name, cause);
    }
  }
  acting.look();
  if (!done.length) return;
  const names = done.length === 1 ? done[0]?.name : plural(done.length, "job");
  acting.notes.tell(`${names} ${DONE[verb]}${verb === "priority" ? ` ${priority}` : ""}`, wayBack(verb, done, acting));
}
function wayBack(verb, done, acting) {
  const ways = done.flatMap((job) => undoing(verb, job) ?? []);
  const [first] = ways;
  if (!first) return null;
  async function take() {
    for (const way of ways) await way.undo().catch((cause) => acting.notes.refuse("Undo failed", cause));
    acting.look();
  }
  return { label: first.label, take: () => void take() };
}
function Dialog(props) {
  const { verb, jobs } = props.question;
  const box = T2(null);
  const [priority, setPriority] = d2(String(jobs[0]?.priority ?? 0));
  A2(() => box.current?.showModal(), []);
  const names = jobs.length === 1 ? jobs[0]?.name : plural(jobs.length, "job");
  return /* @__PURE__ */ a3("dialog", { ref: box, "aria-labelledby": "question", onClose: () => props.onAnswer(null), children: /* @__PURE__ */ a3(
    "form",
    {
      onSubmit: (event) => {
        event.preventDefault();
        props.onAnswer(Number(priority));
      },
      children: [
        /* @__PURE__ */ a3("h2", { id: "question", children: QUESTIONS[verb].replace("{}", names ?? "") }),
        verb === "priority" ? /* @__PURE__ */ a3("label", { children: [
          "Priority",
          " ",
          /* @__PURE__ */ a3(
            "input",
            {
              type: "number",
              min: -9999,
              max: props.me?.priority_ceiling ?? 9999,
              step: 1,
              required: true,
              value: priority,
              onInput: (event) => setPriority(event.currentTarget.value)
            }
          ),
          " ",
          /* @__PURE__ */ a3("span", { class: "quiet", children: "Higher starts first, and may preempt lower priorities." })
        ] }) : /* @__PURE__ */ a3("p", { children: consequence(jobs) }),
        jobs.length > 1 && /* @__PURE__ */ a3("p", { class: "quiet names", children: jobs.map((job) => job.name).join(", ") }),
        /* @__PURE__ */ a3("div", { class: "answers", children: [
          /* @__PURE__ */ a3("button", { type: "button", onClick: () => box.current?.close(), children: "Keep" }),
          /* @__PURE__ */ a3("button", { type: "submit", class: verb === "priority" ? "main" : "grave", children: verb === "priority" ? "Set priority" : verb === "cancel" ? `Cancel ${plural(jobs.length, "job")}` : "Stop and queue again" })
        ] })
      ]
    }
  ) });
}
var QUESTIONS = {
  priority: "Change the priority of {}",
  cancel: "Cancel {}?",
  requeue: "Stop {} and queue again?"
};
function consequence(jobs) {
  const live = jobs.filter((job) => LIVE.has(job.state));
  if (!live.length) return "Cancelled jobs leave the queue. They can be queued again.";
  const lost = live.filter((job) => !job.has_checkpoints).length;
  const work = lost ? `${plural(lost, "job")} without checkpoints will lose all work.` : "Work since the last checkpoint is lost.";
  return `${plural(live.length, "running job")} will be stopped. ${work}`;
}

// src/fact.tsx
function Fact({ name, children }) {
  return /* @__PURE__ */ a3("div", { children: [
    /* @__PURE__ */ a3("dt", { children: name }),
    /* @__PURE__ */ a3("dd", { children })
  ] });
}

// src/money.ts
function dollars(amount2) {
  return `$${amount2 >= 5e-3 || !amount2 ? amount2.toFixed(2) : Number(amount2.toPrecision(1))}`;
}
function costText(cost) {
  if (!cost) return "no known price";
  return (cost.final ? "" : "\u2264 ") + dollars(cost.dollars + cost.retained_dollars);
}

// src/job_cost.tsx
function JobCosts({ job }) {
  const { cost } = job;
  if (!cost || !job.attempts.length) return null;
  const billed = job.attempts.reduce((sum2, attempt) => sum2 + (attempt.billable_seconds ?? 0), 0);
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "cost-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "cost-title", children: "Cost" }),
      cost.prices_as_of && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "at prices of ",
        cost.prices_as_of
      ] })
    ] }),
    cost.prices_as_of && /* @__PURE__ */ a3("p", { class: "lead", children: costText(cost) }),
    /* @__PURE__ */ a3("dl", { class: "facts", children: [
      /* @__PURE__ */ a3(Fact, { name: "billed", children: billed ? `${span(billed * 1e3)} of each instance` : "not reported yet" }),
      cost.retained_dollars > 0 && /* @__PURE__ */ a3(Fact, { name: "warm pools, included", children: dollars(cost.retained_dollars) }),
      cost.saved_dollars > 0 && /* @__PURE__ */ a3(Fact, { name: "saved by spot", children: dollars(cost.saved_dollars) }),
      cost.wasted_dollars_at_most > 0 && /* @__PURE__ */ a3(Fact, { name: "wasted at most", children: [
        dollars(cost.wasted_dollars_at_most),
        ", lost to preemptions and failures"
      ] }),
      cost.unknown_types.length > 0 && /* @__PURE__ */ a3(Fact, { name: "no known price", children: [
        "for ",
        cost.unknown_types.join(", "),
        ": its attempts are left out (`sagequeue prices`)"
      ] })
    ] })
  ] });
}

// src/job_table.tsx
var ROW = 30;
var MARGIN = 8;
function JobTable(props) {
  const { jobs, selection } = props;
  const frame = T2(null);
  const [sight, setSight] = d2({ first: 0, last: 40 });
  const [active, setActive] = d2(0);
  const wantsFocus = T2(false);
  const current = Math.min(active, jobs.length - 1);
  function look() {
    const box = frame.current;
    if (!box) return;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN);
    const last = Math.ceil((box.scrollTop + box.clientHeight) / ROW) + MARGIN;
    if (first !== sight.first || last !== sight.last) setSight({ first, last });
  }
  F2(look);
  A2(() => props.onSight(sight.first, sight.last), [sight.first, sight.last, jobs.length]);
  F2(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    frame.current?.querySelector(`[data-row="${current}"] input`)?.focus();
  });
  function move(to) {
    const row = Math.max(0, Math.min(jobs.length - 1, to));
    const box = frame.current;
    if (box) {
      const top = row * ROW;
      const head = ROW;
      if (top < box.scrollTop) box.scrollTop = top;
      if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
    }
    wantsFocus.current = true;
    setActive(row);
    look();
  }
  function onKeyDown(event) {
    const job = jobs[current];
    if (!job || event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor((frame.current?.clientHeight ?? ROW) / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage }[event.key];
    if (step) move(current + step);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(jobs.length - 1);
    else if (event.key === "Enter") location.hash = linkTo(job.name);
    else if (!props.onKey(event.key, job)) return;
    event.preventDefault();
  }
  const shown = jobs.slice(sight.first, sight.last);
  const below = jobs.length - sight.first - shown.length;
  const areAllSelected = jobs.length > 0 && jobs.every((job) => selection.names.has(job.name));
  return /* @__PURE__ */ a3("section", { class: "table-frame", "aria-label": "List of jobs", ref: frame, onScroll: look, onKeyDown, children: [
    /* @__PURE__ */ a3("table", { "aria-rowcount": props.hasMore ? -1 : jobs.length + 1, "aria-describedby": "table-keys", children: [
      /* @__PURE__ */ a3("caption", { class: "unseen", children: "Jobs: live ones, then waiting ones in queue order, then ended ones" }),
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { "aria-rowindex": 1, children: [
        /* @__PURE__ */ a3("th", { scope: "col", class: "pick", children: /* @__PURE__ */ a3(
          "input",
          {
            type: "checkbox",
            "aria-label": "Select all loaded jobs",
            checked: areAllSelected,
            onChange: () => selection.all(areAllSelected ? [] : jobs.map((job) => job.name))
          }
        ) }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "#" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "State" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Priority" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "May start" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: [
        sight.first > 0 && /* @__PURE__ */ a3(Spacer, { rows: sight.first }),
        shown.map((job, index) => /* @__PURE__ */ a3(
          Row,
          {
            job,
            row: sight.first + index,
            isActive: sight.first + index === current,
            explanation: props.whys.get(job.name),
            now: props.now,
            selection,
            onFocus: () => setActive(sight.first + index)
          },
          job.name
        )),
        below > 0 && /* @__PURE__ */ a3(Spacer, { rows: below })
      ] })
    ] }),
    props.hasMore && /* @__PURE__ */ a3("p", { class: "quiet more", children: "more jobs below \u2026" })
  ] });
}
function Spacer({ rows }) {
  return /* @__PURE__ */ a3("tr", { class: "spacer", style: { height: `${rows * ROW}px` }, children: /* @__PURE__ */ a3("td", { colSpan: 10 }) });
}
function Row(props) {
  const { job, explanation, now, selection } = props;
  const tabIndex = props.isActive ? 0 : -1;
  return /* @__PURE__ */ a3(
    "tr",
    {
      "aria-rowindex": props.row + 2,
      "data-row": props.row,
      class: `${selection.names.has(job.name) ? "selected" : ""} ${ENDED.has(job.state) ? "past" : ""}`,
      onFocusCapture: props.onFocus,
      children: [
        /* @__PURE__ */ a3("td", { class: "pick", children: /* @__PURE__ */ a3(
          "input",
          {
            type: "checkbox",
            tabIndex,
            "aria-label": `Select ${job.name}`,
            checked: selection.names.has(job.name),
            onChange: () => selection.toggle(job.name)
          }
        ) }),
        /* @__PURE__ */ a3("td", { class: "number quiet", children: job.position ?? "" }),
        /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), tabIndex, children: job.name }) }),
        /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(StateMark, { job }) }),
        /* @__PURE__ */ a3("td", { class: "number", children: job.priority }),
        /* @__PURE__ */ a3("td", { children: instances(job) }),
        /* @__PURE__ */ a3("td", { title: job.owner, children: [
          person(job.owner),
          job.team && /* @__PURE__ */ a3("small", { class: "quiet", children: [
            " ",
            job.team
          ] })
        ] }),
        /* @__PURE__ */ a3("td", { class: "number", title: job.submitted_at, children: since(job.submitted_at, now) }),
        /* @__PURE__ */ a3("td", { children: QUEUED.has(job.state) && explanation ? start(explanation.starts, now) : "" }),
        /* @__PURE__ */ a3("td", { class: "why", title: job.reason.message, children: why(job) })
      ]
    }
  );
}
function StateMark({ job }) {
  return /* @__PURE__ */ a3("span", { class: `state ${job.state}`, children: job.state });
}

// src/lineage.tsx
function Lineage({ job, now }) {
  const from = Date.parse(job.submitted_at);
  const until = Math.max(from + 1e3, job.attempts.some(isLive) ? now : lastMoment(job, now));
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "lineage-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "lineage-title", children: "Attempts" }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "waited ",
        span(waited(job, now)),
        ", held instances ",
        span(held(job, now))
      ] })
    ] }),
    job.attempts.length ? /* @__PURE__ */ a3("table", { class: "lineage", children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Attempt" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Result" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Held for" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Billed" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "axis", children: "Since submission" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Details" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: job.attempts.map((attempt) => /* @__PURE__ */ a3(Row2, { attempt, job, now, from, until }, attempt.name)) })
    ] }) : /* @__PURE__ */ a3("p", { class: "empty", children: "No attempts yet." })
  ] });
}
function Row2(props) {
  const { attempt, job, now, from, until } = props;
  const [start2, end] = [Date.parse(attempt.reserved_at), endOf(attempt, now)];
  const left = (start2 - from) / (until - from) * 100;
  const width = (end - start2) / (until - from) * 100;
  const kind = isLive(attempt) ? job.state : `ended ${attempt.outcome}`;
  return /* @__PURE__ */ a3("tr", { children: [
    /* @__PURE__ */ a3("th", { scope: "row", title: `Training job ${attempt.name} in SageMaker`, children: attempt.name }),
    /* @__PURE__ */ a3("td", { children: attempt.outcome?.replaceAll("_", " ") ?? job.state }),
    /* @__PURE__ */ a3("td", { class: "number", children: span(end - start2) }),
    /* @__PURE__ */ a3("td", { class: "number", children: attempt.billable_seconds != null && span(attempt.billable_seconds * 1e3) }),
    /* @__PURE__ */ a3("td", { class: "number", children: attempt.cost !== void 0 && costText(attempt.cost) }),
    /* @__PURE__ */ a3("td", { class: "axis", children: /* @__PURE__ */ a3("span", { class: "track", children: /* @__PURE__ */ a3(
      "span",
      {
        class: `bar ${kind}`,
        title: `${clock(start2, now)} to ${isLive(attempt) ? "now" : clock(end, now)}`,
        style: { left: `${left}%`, width: `max(3px, ${width}%)` }
      }
    ) }) }),
    /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(Happened, { attempt }) })
  ] });
}
function Happened({ attempt }) {
  if (attempt.beneficiary) {
    return /* @__PURE__ */ a3($, { children: [
      "preempted for",
      " ",
      /* @__PURE__ */ a3("a", { class: "link", href: linkTo(attempt.beneficiary), children: attempt.beneficiary })
    ] });
  }
  const spot = attempt.interruptions ? `, ${attempt.interruptions} \xD7 interrupted by spot` : "";
  const treated = [attempt.failure_class?.replaceAll("_", " "), attempt.action].filter(Boolean).join(", ");
  const said2 = [attempt.failure_reason || attempt.message || attempt.secondary_status, treated && `(${treated})`];
  return /* @__PURE__ */ a3($, { children: said2.filter(Boolean).join(" ") + spot });
}
function isLive(attempt) {
  return attempt.outcome === null;
}
function endOf(attempt, now) {
  return attempt.ended_at ? Date.parse(attempt.ended_at) : now;
}
function lastMoment(job, now) {
  const isOver = ["completed", "failed", "stopped"].includes(job.state);
  const ends = job.attempts.map((attempt) => endOf(attempt, now));
  return isOver && ends.length ? Math.max(...ends) : now;
}
function held(job, now) {
  return job.attempts.reduce((sum2, attempt) => sum2 + endOf(attempt, now) - Date.parse(attempt.reserved_at), 0);
}
function waited(job, now) {
  const end = job.attempts.some(isLive) ? now : lastMoment(job, now);
  return Math.max(0, end - Date.parse(job.submitted_at) - held(job, now));
}

// src/log_tail.tsx
function LogTail({ job, now }) {
  const [chosen, setChosen] = d2("");
  const last = job.attempts.at(-1)?.name ?? "";
  const attempt = chosen || last;
  const tail = usePolled(() => read(ofJob(job.name, "log"), { attempt }), attempt);
  const box = T2(null);
  const isAtEnd = T2(true);
  F2(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  const lines = tail.value?.lines ?? [];
  const hosts = new Set(lines.map((line) => line.host));
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "log-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "log-title", children: "Log" }),
      /* @__PURE__ */ a3("label", { class: "quiet", children: [
        "of",
        " ",
        /* @__PURE__ */ a3("select", { value: attempt, onChange: (event) => setChosen(event.currentTarget.value), children: job.attempts.map((one) => /* @__PURE__ */ a3("option", { value: one.name, children: one.name }, one.name)) })
      ] }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: [
        "last lines; `sagequeue logs ",
        job.name,
        "` prints the whole log"
      ] })
    ] }),
    tail.error && /* @__PURE__ */ a3(Trouble, { error: tail.error }),
    lines.length ? /* @__PURE__ */ a3(
      "div",
      {
        class: "log",
        ref: box,
        role: "log",
        "aria-live": "off",
        "aria-label": `The last lines of ${attempt}`,
        tabIndex: 0,
        onScroll: ({ currentTarget: it }) => {
          isAtEnd.current = it.scrollTop + it.clientHeight >= it.scrollHeight - 8;
        },
        children: lines.map((line, index) => /* @__PURE__ */ a3("div", { children: [
          /* @__PURE__ */ a3("time", { children: clock(line.at, now) }),
          hosts.size > 1 && /* @__PURE__ */ a3("span", { class: "quiet", children: [
            line.host,
            " "
          ] }),
          line.text
        ] }, `${line.at} ${index}`))
      }
    ) : /* @__PURE__ */ a3("p", { class: "empty", children: tail.value ? "No log lines yet." : "Loading \u2026" })
  ] });
}

// src/job_view.tsx
var VERBS2 = ["top", "priority", "hold", "release", "requeue", "cancel"];
function JobView({ name, acting }) {
  const now = useNow();
  const seen = usePolled(() => seeJob(name), name);
  const { ask, dialog } = useActing({
    ...acting,
    look: () => {
      seen.look();
      acting.look();
    }
  });
  if (!seen.value) return seen.error ? /* @__PURE__ */ a3(Trouble, { error: seen.error }) : /* @__PURE__ */ a3("p", { class: "empty", children: [
    "Loading ",
    name,
    " \u2026"
  ] });
  const { job, explanation } = seen.value;
  return /* @__PURE__ */ a3($, { children: [
    seen.error && /* @__PURE__ */ a3(Trouble, { error: seen.error }),
    /* @__PURE__ */ a3("header", { class: "job-head", children: [
      /* @__PURE__ */ a3("h1", { children: job.name }),
      /* @__PURE__ */ a3(StateMark, { job }),
      /* @__PURE__ */ a3("span", { class: "grow" }),
      /* @__PURE__ */ a3(ActionBar, { jobs: [job], me: acting.me, verbs: VERBS2, onAct: ask })
    ] }),
    /* @__PURE__ */ a3("div", { class: "columns", children: [
      /* @__PURE__ */ a3("section", { "aria-labelledby": "why-title", children: [
        /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "why-title", children: [
          "Why it is ",
          job.state
        ] }) }),
        /* @__PURE__ */ a3(Why, { job, explanation, now })
      ] }),
      /* @__PURE__ */ a3("section", { "aria-labelledby": "facts-title", children: [
        /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "facts-title", children: "Request" }) }),
        /* @__PURE__ */ a3(Facts, { job, now })
      ] }),
      /* @__PURE__ */ a3(JobCosts, { job })
    ] }),
    /* @__PURE__ */ a3(Lineage, { job, now }),
    /* @__PURE__ */ a3(Decisions, { actions: job.actions ?? [], now }),
    job.attempts.length > 0 && /* @__PURE__ */ a3(LogTail, { job, now }, job.name),
    job.request && /* @__PURE__ */ a3(Request, { request: job.request }),
    dialog
  ] });
}
async function seeJob(name) {
  const [job, explanation] = await Promise.all([read(ofJob(name)), read(ofJob(name, "why"))]);
  return { job, explanation };
}
function Why({ job, explanation, now }) {
  const parts = explanation.priority;
  const isWaiting = explanation.position !== null;
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("p", { class: "lead", children: isWaiting ? explanation.reason.message : why(job) }),
    /* @__PURE__ */ a3("dl", { class: "facts", children: [
      explanation.position !== null && /* @__PURE__ */ a3(Fact, { name: "position", children: explanation.position }),
      explanation.waits_for.length > 0 && /* @__PURE__ */ a3(Fact, { name: "waits for", children: explanation.waits_for.map((other) => /* @__PURE__ */ a3("a", { class: "link", href: linkTo(other), children: [
        other,
        " "
      ] }, other)) }),
      explanation.starts && /* @__PURE__ */ a3(Fact, { name: "may start", children: start(explanation.starts, now) }),
      parts && /* @__PURE__ */ a3(Fact, { name: "priority factors", children: /* @__PURE__ */ a3("ol", { class: "parts", children: [
        /* @__PURE__ */ a3(Part, { holds: parts.is_reserved_for, children: "reserved: other jobs were stopped for it" }),
        /* @__PURE__ */ a3(Part, { holds: parts.is_long_waiting, children: "long-waiting: a share of the budget is set aside for it" }),
        /* @__PURE__ */ a3(Part, { holds: parts.is_below_guarantee, children: "its team is below its guarantee" }),
        /* @__PURE__ */ a3("li", { class: "holds", children: [
          "priority ",
          parts.priority
        ] }),
        parts.expected_run_time !== null && /* @__PURE__ */ a3("li", { children: [
          "expected to run ",
          span(parts.expected_run_time * 1e3),
          "; shorter jobs start first"
        ] }),
        /* @__PURE__ */ a3("li", { class: "holds", children: [
          "waiting for ",
          since(job.submitted_at, now)
        ] })
      ] }) })
    ] }),
    job.warnings.length > 0 && /* @__PURE__ */ a3(Warnings, { warnings: job.warnings })
  ] });
}
function Part({ holds, children }) {
  return /* @__PURE__ */ a3("li", { class: holds ? "holds" : "", children: [
    children,
    holds ? "" : ": no"
  ] });
}
function Warnings({ warnings }) {
  return /* @__PURE__ */ a3("ul", { class: "warnings", children: warnings.map((one) => /* @__PURE__ */ a3("li", { children: [
    /* @__PURE__ */ a3("strong", { children: one.rule }),
    " ",
    one.message,
    " ",
    /* @__PURE__ */ a3("span", { class: "quiet", children: one.remedy })
  ] }, one.rule + one.field)) });
}
function Facts({ job, now }) {
  return /* @__PURE__ */ a3("dl", { class: "facts", children: [
    /* @__PURE__ */ a3(Fact, { name: "priority", children: job.priority }),
    /* @__PURE__ */ a3(Fact, { name: "instances", children: instances(job) }),
    /* @__PURE__ */ a3(Fact, { name: "owner", children: [
      /* @__PURE__ */ a3("span", { title: job.owner, children: person(job.owner) }),
      job.team ? `, team ${job.team}` : ""
    ] }),
    /* @__PURE__ */ a3(Fact, { name: "submitted", children: [
      clock(job.submitted_at, now),
      ", ",
      since(job.submitted_at, now),
      " ago"
    ] }),
    /* @__PURE__ */ a3(Fact, { name: "time limit", children: span(job.max_runtime * 1e3) }),
    /* @__PURE__ */ a3(Fact, { name: "checkpoints", children: checkpoints(job) }),
    job.preemptions > 0 && /* @__PURE__ */ a3(Fact, { name: "preempted", children: [
      job.preemptions,
      " \xD7"
    ] }),
    job.options.never_preempt && /* @__PURE__ */ a3(Fact, { name: "preemption", children: "never" }),
    job.not_before && /* @__PURE__ */ a3(Fact, { name: "not before", children: clock(job.not_before, now) })
  ] });
}
function checkpoints(job) {
  if (!job.has_checkpoints) return "none: a stopped attempt restarts from the beginning";
  const every = job.options.checkpoint_interval;
  return every ? `every ${span(every * 1e3)}` : "yes";
}
function Decisions({ actions, now }) {
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "decisions-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "decisions-title", children: "Activity" }) }),
    actions.length ? /* @__PURE__ */ a3("table", { children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "When" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Action" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "By" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: [...actions].reverse().map((action) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("td", { class: "quiet", children: clock(action.at, now) }),
        /* @__PURE__ */ a3("td", { children: action.kind.replaceAll("_", " ") }),
        /* @__PURE__ */ a3("td", { title: action.by, children: person(action.by) }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: action.message })
      ] }, action.at + action.kind)) })
    ] }) : /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None yet." })
  ] });
}
function Request({ request }) {
  const [isOpen, setIsOpen] = d2(false);
  return /* @__PURE__ */ a3("section", { children: /* @__PURE__ */ a3("details", { class: "request", open: isOpen, onToggle: (event) => setIsOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ a3("summary", { children: /* @__PURE__ */ a3("h2", { children: "Submitted request" }) }),
    isOpen && /* @__PURE__ */ a3("pre", { children: JSON.stringify(request, null, 2) })
  ] }) });
}

// src/guardrails_view.tsx
function GuardrailsView() {
  const now = useNow(1e4);
  const rules = usePolled(() => read("rules"), "rules");
  const findings = usePolled(() => read("findings"), "findings");
  const parked = usePolled(() => read("jobs", { state: "parked" }), "parked");
  const errors = [rules.error, findings.error, parked.error].filter((error) => error !== null);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Guardrails" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    rules.value ? /* @__PURE__ */ a3(InForce, { rules: rules.value, now }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "parked-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "parked-title", children: "Parked" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Jobs that cannot start without a change." })
      ] }),
      /* @__PURE__ */ a3(Parked, { jobs: parked.value?.jobs ?? [], now })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "findings-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "findings-title", children: "Started outside the queue" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Jobs that break a rule; kept for 180 days." })
      ] }),
      /* @__PURE__ */ a3(Findings, { findings: findings.value?.findings ?? [], now })
    ] })
  ] });
}
function InForce({ rules, now }) {
  const document2 = parsed(rules.text);
  const by = rules.changed_by ? `, by ${person(rules.changed_by)} at ${clock(rules.changed_at ?? "", now)}` : "";
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "rules-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "rules-title", children: "Rules" }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: rules.version ? `version ${rules.version}${by}` : "default" })
    ] }),
    document2?.rules?.length ? /* @__PURE__ */ a3("table", { children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Rule" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Kind" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Mode" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Parameters" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Applies to" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Exempt" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: document2.rules.map((rule) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: rule.name }),
        /* @__PURE__ */ a3("td", { children: rule.kind.replaceAll("_", " ") }),
        /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3("span", { class: `mode ${rule.mode ?? "enforce"}`, children: rule.mode ?? "enforce" }) }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: said(parameters(rule)) }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: rule.applies_to ? said(rule.applies_to) : "all jobs" }),
        /* @__PURE__ */ a3("td", { class: "wraps", children: exemptions(rule, document2.exemptions ?? []) })
      ] }, rule.name)) })
    ] }) : /* @__PURE__ */ a3("p", { class: "nothing quiet", children: document2 ? "No rules. Set them with `sagequeue rules apply`." : "This page cannot read the rules; `sagequeue rules show` prints them." })
  ] });
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
function parameters(rule) {
  const { name: _name, kind: _kind, mode: _mode, applies_to: _appliesTo, ...others } = rule;
  return others;
}
function said(what) {
  const parts = Object.entries(what).map(([key, value]) => `${key.replaceAll("_", " ")} ${plain(value)}`);
  return parts.join("; ");
}
function plain(value) {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).map(([key, one]) => key === "values" ? plain(one) : `${key} ${plain(one)}`);
  return parts.join(", ");
}
function exemptions(rule, all) {
  const own = all.filter((one) => one.rules.includes(rule.name));
  return own.map((one) => `${one.reason} (${one.owner}, until ${one.expires_at})`).join("; ");
}
function Parked({ jobs, now }) {
  if (!jobs.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: jobs.map((job) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
      /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
      /* @__PURE__ */ a3("td", { class: "number", children: since(job.submitted_at, now) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: why(job) })
    ] }, job.name)) })
  ] });
}
function Findings({ findings, now }) {
  if (!findings.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Training job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Created" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Reaction" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Broken rules" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: findings.map((finding) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: finding.name }),
      /* @__PURE__ */ a3("td", { class: "quiet", children: clock(finding.created_at, now) }),
      /* @__PURE__ */ a3("td", { children: finding.stopped ? "stopped" : "reported" }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: /* @__PURE__ */ a3(Warnings, { warnings: finding.violations }) })
    ] }, finding.created_at + finding.name)) })
  ] });
}

// src/ended_jobs.tsx
var SHOWN2 = 100;
function EndedJobs({ jobs, now }) {
  if (!jobs.length) return null;
  return /* @__PURE__ */ a3("section", { "aria-labelledby": "ended-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: /* @__PURE__ */ a3("h2", { id: "ended-title", children: "Recently ended jobs" }) }),
    /* @__PURE__ */ a3("table", { children: [
      /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Result" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Ended" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Instances" }),
        /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Attempts" }),
        /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
      ] }) }),
      /* @__PURE__ */ a3("tbody", { children: jobs.slice(0, SHOWN2).map((job) => /* @__PURE__ */ a3("tr", { children: [
        /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
        /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3("span", { class: `state ${job.state}`, children: job.state }) }),
        /* @__PURE__ */ a3("td", { class: "quiet", children: clock(job.updated_at, now) }),
        /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
        /* @__PURE__ */ a3("td", { children: instances(job) }),
        /* @__PURE__ */ a3("td", { class: "number", children: job.attempts.length }),
        /* @__PURE__ */ a3("td", { class: "clipped", title: job.reason.message, children: why(job) })
      ] }, job.name)) })
    ] })
  ] });
}

// src/waste.ts
var USES = {
  completed: "completed",
  kept: "preempted, in a checkpoint",
  lost: "preempted, lost at most",
  failed: "failed",
  idle: "stopped for idle GPUs",
  stopped: "cancelled or stopped",
  starting: "starting up",
  retained: "warm pools"
};
function uses(sums) {
  const seconds = {
    completed: sums.completed_instance_seconds,
    kept: Math.max(0, sums.preempted_instance_seconds - sums.lost_at_most_instance_seconds),
    lost: sums.lost_at_most_instance_seconds,
    failed: sums.failed_instance_seconds,
    idle: sums.idle_instance_seconds,
    stopped: sums.stopped_instance_seconds,
    starting: sums.starting_instance_seconds,
    retained: sums.retained_instance_seconds
  };
  for (const use of Object.keys(seconds)) seconds[use] *= 1e3;
  return seconds;
}
function held2(sums) {
  return Object.values(uses(sums)).reduce((sum2, time2) => sum2 + time2, 0);
}
function ordered(groups, by) {
  const all = Object.entries(groups);
  return by === "day" ? all.reverse() : all.sort(([, one], [, other]) => held2(other) - held2(one));
}
function sum(amount2, sums) {
  if (sums.unpriced_runs && sums.unpriced_runs === sums.runs) return "?";
  return amount2 + (sums.unpriced_runs ? "+" : "");
}

// src/uses.tsx
var ALL = Object.entries(USES);
function Uses({ total: total2 }) {
  const [times, all] = [uses(total2), held2(total2)];
  return /* @__PURE__ */ a3("div", { class: "uses", children: [
    /* @__PURE__ */ a3(UseBar, { sums: total2 }),
    /* @__PURE__ */ a3("dl", { class: "use-list", children: ALL.map(([use, label]) => /* @__PURE__ */ a3("div", { class: times[use] ? "" : "none", children: [
      /* @__PURE__ */ a3("dt", { children: [
        /* @__PURE__ */ a3("span", { class: `swatch use-${use}`, "aria-hidden": "true" }),
        label
      ] }),
      /* @__PURE__ */ a3("dd", { children: [
        times[use] ? span(times[use]) : "none",
        " ",
        /* @__PURE__ */ a3("span", { class: "quiet", children: times[use] > 0 && share(times[use], all) })
      ] })
    ] }, use)) }),
    /* @__PURE__ */ a3("p", { class: "quiet", children: [
      plural(total2.runs, "attempt"),
      " of ",
      plural(total2.jobs, "job"),
      " cost ",
      sum(dollars(total2.cost_dollars), total2),
      ", of which at most ",
      sum(dollars(total2.wasted_at_most_dollars), total2),
      " were lost to preemptions and failures. Spot saved ",
      sum(dollars(total2.saved_dollars), total2),
      ". They waited ",
      span(total2.waited_seconds / total2.runs * 1e3),
      " ",
      "on average, and ",
      span(total2.longest_wait_seconds * 1e3),
      " at most."
    ] })
  ] });
}
function UseGroups({ groups, by, label }) {
  return /* @__PURE__ */ a3("table", { class: "groups", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: label }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Jobs" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Attempts" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waited" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "At most" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Instance time" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Use" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Cost" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Saved" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waste \u2264" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: ordered(groups, by).map(([name, sums]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", title: name, children: by === "owner" ? person(name) : name }),
      /* @__PURE__ */ a3("td", { class: "number", children: sums.jobs }),
      /* @__PURE__ */ a3("td", { class: "number", children: sums.runs }),
      /* @__PURE__ */ a3("td", { class: "number", children: span(sums.waited_seconds / sums.runs * 1e3) }),
      /* @__PURE__ */ a3("td", { class: "number", children: span(sums.longest_wait_seconds * 1e3) }),
      /* @__PURE__ */ a3("td", { class: "number", children: span(held2(sums)) }),
      /* @__PURE__ */ a3("td", { children: held2(sums) > 0 && /* @__PURE__ */ a3(UseBar, { sums }) }),
      /* @__PURE__ */ a3("td", { class: "number", children: sum(dollars(sums.cost_dollars), sums) }),
      /* @__PURE__ */ a3("td", { class: "number", children: sum(dollars(sums.saved_dollars), sums) }),
      /* @__PURE__ */ a3("td", { class: "number", children: sum(dollars(sums.wasted_at_most_dollars), sums) })
    ] }, name)) })
  ] });
}
function UseBar({ sums }) {
  const [times, all] = [uses(sums), held2(sums)];
  const parts = ALL.filter(([use]) => times[use]);
  const said2 = parts.map(([use, label]) => `${label} ${share(times[use], all)}`).join(", ");
  return /* @__PURE__ */ a3("span", { class: "use-bar", role: "img", "aria-label": said2, title: said2, children: parts.map(([use]) => /* @__PURE__ */ a3("span", { class: `use-${use}`, style: { width: `${times[use] / all * 100}%` } }, use)) });
}
function share(part, all) {
  return all ? `${Math.round(part / all * 100)} %` : "";
}

// src/history_view.tsx
var DAY = 864e5;
var PERIODS = {
  "the last 7 days": (now) => new Date(now.getTime() - 7 * DAY),
  "the last 30 days": (now) => new Date(now.getTime() - 30 * DAY),
  "this month": (now) => new Date(now.getFullYear(), now.getMonth(), 1)
};
var BY = { type: "instance type" };
function HistoryView() {
  const now = useNow(1e4);
  const [period, setPeriod] = d2("the last 7 days");
  const [looks, setLooks] = d2(0);
  const [by, setBy] = d2("owner");
  const { value, error } = useRead(period, looks);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "History" }),
    error && /* @__PURE__ */ a3(Trouble, { error }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "use-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "use-title", children: "Use of instance time" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Period" }),
          /* @__PURE__ */ a3("select", { value: period, onChange: (event) => setPeriod(event.currentTarget.value), children: Object.keys(PERIODS).map((one) => /* @__PURE__ */ a3("option", { children: one }, one)) })
        ] }),
        /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: [
          value && `of attempts that ended since ${clock(value.since.getTime(), now)}`,
          !value && !error && "Loading the history \u2026"
        ] }),
        /* @__PURE__ */ a3("span", { class: "grow" }),
        /* @__PURE__ */ a3("button", { type: "button", onClick: () => setLooks(looks + 1), children: "Refresh" })
      ] }),
      value && /* @__PURE__ */ a3(Told, { report: value.report })
    ] }),
    value && value.report.total.runs > 0 && /* @__PURE__ */ a3("section", { "aria-labelledby": "by-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "by-title", children: "By group" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Group by" }),
          /* @__PURE__ */ a3("select", { value: by, onChange: (event) => setBy(event.currentTarget.value), children: Object.keys(value.report.groups).map((one) => /* @__PURE__ */ a3("option", { value: one, children: named(one) }, one)) })
        ] })
      ] }),
      /* @__PURE__ */ a3(UseGroups, { groups: value.report.groups[by] ?? {}, by, label: named(by) })
    ] }),
    value && /* @__PURE__ */ a3(EndedJobs, { jobs: value.ended.jobs, now })
  ] });
}
function Told({ report }) {
  return /* @__PURE__ */ a3($, { children: [
    report.total.runs ? /* @__PURE__ */ a3(Uses, { total: report.total }) : /* @__PURE__ */ a3("p", { class: "empty", children: "No attempt ended in this time." }),
    report.notes.map((note) => /* @__PURE__ */ a3("p", { class: "nothing caution", children: note }, note))
  ] });
}
function useRead(period, looks) {
  const [value, setValue] = d2(null);
  const [error, setError] = d2(null);
  A2(() => {
    let isOver = false;
    setValue(null);
    setError(null);
    readSince(PERIODS[period](/* @__PURE__ */ new Date())).then(
      (found) => isOver || setValue(found),
      (cause) => isOver || setError(cause instanceof Refusal ? cause : new Refusal("unexpected", String(cause), ""))
    );
    return () => {
      isOver = true;
    };
  }, [period, looks]);
  return { value, error };
}
async function readSince(since2) {
  const [report, ended] = await Promise.all([
    read("report", { since: since2.toISOString() }),
    read("jobs", { state: "completed,failed,stopped" })
  ]);
  return { report, ended, since: since2 };
}
function named(by) {
  return by.startsWith("tag:") ? `tag ${by.slice("tag:".length)}` : BY[by] ?? by;
}

// src/notes.tsx
var SECONDS = 12;
function useNotes() {
  const [all, setAll] = d2([]);
  const count = T2(0);
  const drop = b((id) => setAll((notes) => notes.filter((note) => note.id !== id)), []);
  const add = b(
    (note) => {
      const id = ++count.current;
      setAll((notes) => [...notes.slice(-3), { ...note, id }]);
      if (!note.isBad) setTimeout(() => drop(id), SECONDS * 1e3);
    },
    [drop]
  );
  const tell = b(
    (text, way = null) => add({ text, remedy: "", isBad: false, way }),
    [add]
  );
  const refuse = b(
    (what, cause) => {
      const remedy = cause instanceof Refusal ? cause.remedy : "";
      const message = cause instanceof Error ? cause.message : String(cause);
      add({ text: `${what}: ${message}`, remedy, isBad: true, way: null });
    },
    [add]
  );
  return { all, tell, refuse, drop };
}
function NoteList({ notes }) {
  return /* @__PURE__ */ a3("div", { class: "notes", role: "log", "aria-label": "Notifications", children: notes.all.map((note) => /* @__PURE__ */ a3("div", { class: `note ${note.isBad ? "bad" : ""}`, role: note.isBad ? "alert" : "status", children: [
    /* @__PURE__ */ a3("p", { children: [
      note.text,
      note.remedy && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        " ",
        note.remedy
      ] })
    ] }),
    note.way && /* @__PURE__ */ a3(
      "button",
      {
        type: "button",
        onClick: () => {
          note.way?.take();
          notes.drop(note.id);
        },
        children: note.way.label
      }
    ),
    /* @__PURE__ */ a3("button", { type: "button", class: "plain", "aria-label": "Dismiss", onClick: () => notes.drop(note.id), children: "\xD7" })
  ] }, note.id)) });
}

// src/lanes.ts
function heldInstances(jobs, kind, since2) {
  return jobs.filter((job) => job.instances[kind]).flatMap((job) => job.attempts.map((attempt) => ({ job, attempt, ...time(attempt) }))).filter((held3) => held3.until === null || held3.until > since2 && held3.until > held3.from).sort((one, other) => one.from - other.from || one.attempt.name.localeCompare(other.attempt.name));
}
function laneBars(all, kind, limit) {
  const freeAt = new Array(limit).fill(Number.NEGATIVE_INFINITY);
  return all.flatMap((held3) => {
    const wanted = held3.job.instances[kind] ?? 0;
    const taken = takeLanes(freeAt, held3.from, wanted);
    for (const lane of taken) freeAt[lane] = held3.until ?? Number.POSITIVE_INFINITY;
    return runs(taken).map(([lane, height]) => ({ held: held3, lane, height }));
  });
}
function laneReservations(waiting, bars, kind, limit) {
  const promised = /* @__PURE__ */ new Set();
  return waiting.flatMap(({ job, starts }) => {
    const wanted = job.instances[kind] ?? 0;
    if (!starts?.earliest || !wanted) return [];
    const live = bars.filter((bar) => bar.held.until === null);
    const held3 = new Set(live.flatMap(lanesOf));
    const first = live.filter((bar) => bar.held.job.name === starts.after).flatMap(lanesOf);
    const all = Array.from({ length: limit }, (_3, lane) => lane);
    const order = [...first, ...all.filter((lane) => !held3.has(lane)), ...all];
    const lanes = [...new Set(order)].filter((lane) => !promised.has(lane)).slice(0, wanted);
    for (const lane of lanes) promised.add(lane);
    return runs(lanes.sort((one, other) => one - other)).map(([lane, height]) => ({ job, lane, height, starts }));
  });
}
var KEEPS_A_PLACE = /* @__PURE__ */ new Set(["waits_for_budget", "waits_for_stopping", "waits_for_preemption"]);
function keepsAPlace(job) {
  return KEEPS_A_PLACE.has(job.reason.code);
}
function latestEnd(held3) {
  return Date.parse(held3.attempt.training_started_at ?? held3.attempt.reserved_at) + held3.job.max_runtime * 1e3;
}
function fittingSpan(jobs, now) {
  const starts = jobs.filter((job) => LIVE.has(job.state)).map((job) => job.attempts.at(-1)?.reserved_at);
  const longest = Math.max(0, ...starts.map((start2) => start2 ? now - Date.parse(start2) : 0));
  return SPANS.find((one) => one >= longest * 1.15) ?? SPANS.at(-1);
}
var MINUTE = 6e4;
var SPANS = [1, 2, 5, 10, 20, 40, 90, 180, 360, 720, 1440, 2880, 5760, 10080].map(
  (minutes) => minutes * MINUTE
);
function time(attempt) {
  return {
    from: Date.parse(attempt.reserved_at),
    until: attempt.outcome === null ? null : Date.parse(attempt.ended_at ?? attempt.reserved_at)
  };
}
function takeLanes(freeAt, from, wanted) {
  const free = freeAt.flatMap((at, lane) => at <= from ? [lane] : []);
  const side = free.find((lane) => free.includes(lane + wanted - 1) && rangeIsFree(freeAt, lane, wanted, from));
  if (side !== void 0) return Array.from({ length: wanted }, (_3, index) => side + index);
  const beyond = Array.from({ length: Math.max(0, wanted - free.length) }, (_3, index) => freeAt.length + index);
  return [...free.slice(0, wanted), ...beyond];
}
function rangeIsFree(freeAt, lane, wanted, from) {
  return freeAt.slice(lane, lane + wanted).every((at) => at <= from);
}
function runs(lanes) {
  const found = [];
  for (const lane of lanes) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === lane) last[1] += 1;
    else found.push([lane, 1]);
  }
  return found;
}
function lanesOf(bar) {
  return Array.from({ length: bar.height }, (_3, index) => bar.lane + index);
}

// src/lane_chart.tsx
var SOME = 0.4;
var TALL = 26;
var FLAT = 11;
var isWithin = (left) => left > 2 && left < 97;
var NARROW = 0.06;
var MINUTE2 = 6e4;
var STEPS = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880].map((minutes) => minutes * MINUTE2);
function LaneChart(props) {
  const [chosen, setChosen] = d2(0);
  const past = chosen || fittingSpan(props.jobs, props.now);
  const future = Math.max(past * SOME, Math.min(past, untilFirstReserved(props) * 1.25));
  const axis = { now: props.now, from: props.now - past, until: props.now + future };
  return /* @__PURE__ */ a3("section", { class: "lanes", "aria-labelledby": "lanes-title", children: [
    /* @__PURE__ */ a3("header", { class: "section-head", children: [
      /* @__PURE__ */ a3("h2", { id: "lanes-title", children: "Instances" }),
      /* @__PURE__ */ a3(Legend, {}),
      /* @__PURE__ */ a3("label", { class: "quiet", children: [
        "last",
        " ",
        /* @__PURE__ */ a3("select", { value: chosen, onChange: (event) => setChosen(Number(event.currentTarget.value)), children: [
          /* @__PURE__ */ a3("option", { value: 0, children: "as long as live jobs" }),
          SPANS.map((one) => /* @__PURE__ */ a3("option", { value: one, children: span(one) }, one))
        ] })
      ] })
    ] }),
    Object.entries(props.budget).map(([kind, line]) => /* @__PURE__ */ a3(Lanes, { kind, line, axis, jobs: props.jobs, whys: props.whys }, kind)),
    /* @__PURE__ */ a3(Ticks, { axis })
  ] });
}
function Legend() {
  return /* @__PURE__ */ a3("ul", { class: "legend", "aria-label": "Legend", children: [
    /* @__PURE__ */ a3("li", { class: "launching", children: "starting" }),
    /* @__PURE__ */ a3("li", { class: "running", children: "running" }),
    /* @__PURE__ */ a3("li", { class: "stopping", children: "stopping" }),
    /* @__PURE__ */ a3("li", { class: "reserved", children: "reserved" }),
    /* @__PURE__ */ a3("li", { class: "ended", children: "ended" })
  ] });
}
function Lanes(props) {
  const { kind, line, axis } = props;
  const bars = laneBars(heldInstances(props.jobs, kind, axis.from), kind, line.limit);
  const waiting = props.jobs.filter(keepsAPlace).map((job) => ({ job, starts: props.whys.get(job.name)?.starts ?? null }));
  const reserved = laneReservations(waiting, bars, kind, line.limit);
  const count = Math.max(line.limit, ...bars.map((bar) => bar.lane + bar.height));
  const height = count > 24 ? FLAT : TALL;
  const others = line.held - heldByJobs(props.jobs, kind);
  return /* @__PURE__ */ a3("div", { class: "lane-group", children: [
    /* @__PURE__ */ a3("div", { class: "lane-label", children: [
      /* @__PURE__ */ a3("strong", { children: kind }),
      /* @__PURE__ */ a3("span", { class: "quiet", children: [
        line.held,
        " of ",
        line.limit,
        " held",
        line.free ? `, ${line.free} free` : ""
      ] }),
      others > 0 && /* @__PURE__ */ a3("span", { class: "quiet", children: [
        others,
        " by warm pools or other training jobs"
      ] })
    ] }),
    /* @__PURE__ */ a3(
      "ul",
      {
        class: `lane-field ${height === FLAT ? "flat" : ""}`,
        "aria-label": `${kind}: ${line.held} of ${line.limit} held`,
        style: { height: `${Math.max(count, 1) * height}px`, "--lane": `${height}px` },
        children: [
          bars.map((bar) => /* @__PURE__ */ a3(AttemptBar, { bar, axis, height }, `${bar.held.attempt.name} ${bar.lane}`)),
          reserved.map((one) => /* @__PURE__ */ a3(ReservedBar, { reserved: one, axis, height }, `${one.job.name} ${one.lane}`)),
          /* @__PURE__ */ a3("li", { class: "now-line", "aria-hidden": "true", style: { left: place(axis.now, axis) } })
        ]
      }
    )
  ] });
}
function AttemptBar({ bar, axis, height }) {
  const { job, attempt, from, until } = bar.held;
  const kind = until === null ? job.state : `ended ${attempt.outcome}`;
  const ran = until === null ? `${job.state} for ${span(axis.now - from)}` : `${attempt.outcome} after ${span(until - from)}`;
  const limit = until === null ? `, until ${clock(latestEnd(bar.held), axis.now)} at the latest` : "";
  const said2 = `${job.name}, attempt ${attempt.number}: ${ran}${limit}`;
  const position = { top: `${bar.lane * height + 1}px`, height: `${bar.height * height - 2}px` };
  return /* @__PURE__ */ a3("li", { children: [
    until === null && /* @__PURE__ */ a3(
      "span",
      {
        class: "outlook",
        "aria-hidden": "true",
        style: { ...position, ...extent(axis.now, Math.max(axis.now, latestEnd(bar.held)), axis) }
      }
    ),
    /* @__PURE__ */ a3(
      "a",
      {
        class: `bar ${kind}`,
        href: linkTo(job.name),
        title: said2,
        "aria-label": said2,
        style: { ...position, ...extent(from, until ?? axis.now, axis) },
        children: height === TALL && /* @__PURE__ */ a3("span", { children: [
          job.name,
          attempt.number > 1 && /* @__PURE__ */ a3("small", { children: [
            " attempt ",
            attempt.number
          ] })
        ] })
      }
    )
  ] });
}
function ReservedBar({ reserved, axis, height }) {
  const { job, starts } = reserved;
  const at = Math.max(axis.now, Date.parse(starts.earliest ?? ""));
  const isBeyond = at > axis.until - (axis.until - axis.from) * NARROW;
  const when = start(starts, axis.now);
  const said2 = `${job.name} ${when}: reserved`;
  const position = { top: `${reserved.lane * height + 1}px`, height: `${reserved.height * height - 2}px` };
  return /* @__PURE__ */ a3("li", { children: /* @__PURE__ */ a3(
    "a",
    {
      class: `bar reserved ${isBeyond ? "beyond" : ""}`,
      href: linkTo(job.name),
      title: said2,
      "aria-label": said2,
      style: { ...position, ...isBeyond ? { right: "0" } : extent(at, axis.until, axis) },
      children: height === TALL && /* @__PURE__ */ a3("span", { children: isBeyond ? `${job.name} ${when}` : job.name })
    }
  ) });
}
function Ticks({ axis }) {
  const step = STEPS.find((one) => one >= (axis.until - axis.from) / 7) ?? STEPS.at(-1);
  const first = Math.ceil((axis.from - axis.now) / step);
  const count = Math.floor((axis.until - axis.now) / step) - first + 1;
  const ticks = Array.from({ length: count }, (_3, index) => (first + index) * step).filter(
    (ahead2) => ahead2 !== 0 && isWithin(share2(axis.now + ahead2, axis))
  );
  return /* @__PURE__ */ a3("div", { class: "ticks", "aria-hidden": "true", children: [
    ticks.map((ahead2) => /* @__PURE__ */ a3("span", { style: { left: place(axis.now + ahead2, axis) }, children: ahead2 < 0 ? `\u2212${span(-ahead2)}` : `+${span(ahead2)}` }, ahead2)),
    /* @__PURE__ */ a3("span", { class: "now", style: { left: place(axis.now, axis) }, children: "now" })
  ] });
}
function heldByJobs(jobs, kind) {
  const live = jobs.filter((job) => job.attempts.at(-1)?.outcome === null);
  return live.reduce((sum2, job) => sum2 + (job.instances[kind] ?? 0), 0);
}
function untilFirstReserved({ jobs, whys, now }) {
  const starts = jobs.filter(keepsAPlace).map((job) => Date.parse(whys.get(job.name)?.starts?.earliest ?? ""));
  const ahead2 = starts.map((at) => at - now).filter((span2) => span2 > 0);
  return ahead2.length ? Math.min(...ahead2) : 0;
}
function extent(from, until, axis) {
  const [left, right] = [share2(Math.max(from, axis.from), axis), share2(Math.min(until, axis.until), axis)];
  return { left: `${left}%`, width: `max(3px, ${right - left}%)` };
}
function place(at, axis) {
  return `${share2(at, axis)}%`;
}
function share2(at, axis) {
  return (at - axis.from) / (axis.until - axis.from) * 100;
}

// src/listing.ts
var PAGE = 200;
var NONE = [];
function useJobs(filter) {
  const about = JSON.stringify(filter);
  const sight = T2({ first: 0, last: 0 });
  async function load() {
    return { about, pages: await readPages(filter, known, sight.current) };
  }
  const { value, error, look } = usePolled(load, about);
  const known = value?.about === about ? value.pages : NONE;
  const jobs = w2(() => known.length ? withoutDoubles(known) : null, [known]);
  const hasMore = Boolean(known.at(-1)?.next);
  function show(first, last) {
    sight.current = { first, last };
    if (jobs && hasMore && last >= jobs.length - 1) look();
  }
  return { jobs, hasMore, error, look, show };
}
async function readPages(filter, known, sight) {
  const query = { ...filter, state: filter.state || null };
  const fresh = [await read("jobs", query)];
  const wanted = Math.floor(sight.last / PAGE) + 1;
  for (let index = 1; index < Math.max(known.length, wanted + 1); index++) {
    const token = fresh[index - 1]?.next;
    if (!token) break;
    const isInSight = index >= Math.floor(sight.first / PAGE) && index <= wanted;
    const old = known[index];
    fresh.push(old && !isInSight ? old : await read("jobs", { ...query, next: token }));
  }
  return fresh;
}
function withoutDoubles(pages) {
  const byName = /* @__PURE__ */ new Map();
  for (const page of pages) {
    for (const job of page.jobs) if (!byName.has(job.name)) byName.set(job.name, job);
  }
  return [...byName.values()];
}

// src/whys.ts
var MOST = 8;
var FRESH = 6e4;
function useWhys(jobs) {
  const [whys, setWhys] = d2(/* @__PURE__ */ new Map());
  const asked = T2(/* @__PURE__ */ new Map());
  A2(() => {
    for (const job of (jobs ?? []).filter((one) => QUEUED.has(one.state)).slice(0, MOST)) {
      const place2 = `${job.position} ${job.reason.code} ${job.priority}`;
      const last = asked.current.get(job.name);
      if (last && last.place === place2 && Date.now() - last.at < FRESH) continue;
      asked.current.set(job.name, { place: place2, at: Date.now() });
      read(ofJob(job.name, "why")).then(
        (why2) => setWhys((before) => new Map([...before, [job.name, why2]])),
        () => asked.current.delete(job.name)
        // the next call shows the error
      );
    }
  }, [jobs]);
  return whys;
}

// src/now_view.tsx
var OF_MANY = ["top", "priority", "hold", "release", "requeue", "cancel"];
var FILTERS = {
  "": "all jobs",
  "pending,preempted": "waiting",
  "launching,running,stopping": "running",
  "held,parked": "held or parked",
  "completed,failed,stopped": "ended"
};
function NowView({ queue, acting }) {
  const now = useNow();
  const [filter, setFilter] = d2({ state: "", name: "", team: "" });
  const list = useJobs(filter);
  const isFiltered = Boolean(filter.state || filter.name || filter.team);
  const live = usePolled(() => livePage(isFiltered), String(isFiltered));
  const [selected, setSelected] = d2(/* @__PURE__ */ new Set());
  const lookAtAll = () => {
    list.look();
    live.look();
    acting.look();
  };
  const { ask, dialog } = useActing({ ...acting, look: lookAtAll });
  const jobs = list.jobs ?? [];
  const whys = useWhys(list.jobs);
  const teams = Object.keys(queue?.teams ?? {});
  const chosen = jobs.filter((job) => selected.has(job.name));
  function onKey(key, job) {
    const verb = OF_MANY.find((one) => VERBS[one].key === key);
    if (verb) ask(verb, chosen.length ? chosen : [job]);
    return Boolean(verb);
  }
  function toggle(name) {
    setSelected((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]));
  }
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Now" }),
    queue && /* @__PURE__ */ a3(LaneChart, { budget: queue.budget, jobs: live.value?.jobs ?? jobs, whys, now }),
    /* @__PURE__ */ a3("section", { class: "jobs", "aria-labelledby": "jobs-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "jobs-title", children: "Jobs" }),
        /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Show" }),
          /* @__PURE__ */ a3(
            "select",
            {
              value: filter.state,
              onChange: (event) => setFilter({ ...filter, state: event.currentTarget.value }),
              children: Object.entries(FILTERS).map(([state, label]) => /* @__PURE__ */ a3("option", { value: state, children: label }, state))
            }
          )
        ] }),
        /* @__PURE__ */ a3(
          "input",
          {
            type: "search",
            placeholder: "Name begins with \u2026",
            "aria-label": "Name begins with",
            value: filter.name,
            onChange: (event) => setFilter({ ...filter, name: event.currentTarget.value.trim() })
          }
        ),
        teams.length > 0 && /* @__PURE__ */ a3("label", { children: [
          /* @__PURE__ */ a3("span", { class: "unseen", children: "Team" }),
          /* @__PURE__ */ a3(
            "select",
            {
              value: filter.team,
              onChange: (event) => setFilter({ ...filter, team: event.currentTarget.value }),
              children: [
                /* @__PURE__ */ a3("option", { value: "", children: "all teams" }),
                teams.map((team) => /* @__PURE__ */ a3("option", { value: team, children: team }, team))
              ]
            }
          )
        ] }),
        /* @__PURE__ */ a3("span", { class: "grow" }),
        /* @__PURE__ */ a3("span", { class: "quiet", "aria-live": "polite", children: chosen.length ? `${chosen.length} selected` : "" }),
        /* @__PURE__ */ a3(ActionBar, { jobs: chosen, me: acting.me, verbs: OF_MANY, onAct: ask })
      ] }),
      list.error && /* @__PURE__ */ a3(Trouble, { error: list.error }),
      !jobs.length ? /* @__PURE__ */ a3("p", { class: "empty", children: list.jobs ? isFiltered ? "No jobs match." : "The queue has no jobs." : "Loading \u2026" }) : /* @__PURE__ */ a3(
        JobTable,
        {
          jobs,
          hasMore: list.hasMore,
          whys,
          now,
          selection: { names: selected, toggle, all: (names) => setSelected(new Set(names)) },
          onSight: list.show,
          onKey
        }
      ),
      /* @__PURE__ */ a3("p", { id: "table-keys", class: "quiet keys", children: [
        "In the list: ",
        /* @__PURE__ */ a3("kbd", { children: "\u2191" }),
        " ",
        /* @__PURE__ */ a3("kbd", { children: "\u2193" }),
        " move, ",
        /* @__PURE__ */ a3("kbd", { children: "space" }),
        " selects, ",
        /* @__PURE__ */ a3("kbd", { children: "enter" }),
        " opens;",
        " ",
        OF_MANY.map((verb) => /* @__PURE__ */ a3("span", { children: [
          /* @__PURE__ */ a3("kbd", { children: VERBS[verb].key }),
          " ",
          VERBS[verb].label.replace("\u2026", "").toLowerCase(),
          " "
        ] }, verb))
      ] })
    ] }),
    dialog
  ] });
}
async function livePage(isFiltered) {
  return isFiltered ? read("jobs") : null;
}

// src/spending_view.tsx
function SpendingView() {
  const now = useNow(1e4);
  const spending = usePolled(() => read("spending"), "spending");
  const waiting = usePolled(() => read("jobs", { state: "pending,preempted" }), "waiting");
  const errors = [spending.error, waiting.error].filter((error) => error !== null);
  const held3 = waiting.value?.jobs.filter((job) => job.reason.code === "spending_limit") ?? [];
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Spending" }),
    errors[0] && /* @__PURE__ */ a3(Trouble, { error: errors[0] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "limits-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "limits-title", children: "Monthly limits" }),
        spending.value?.month && /* @__PURE__ */ a3(MonthLine, { month: spending.value.month, now })
      ] }),
      spending.value ? /* @__PURE__ */ a3(Limits, { spending: spending.value }) : /* @__PURE__ */ a3("p", { class: "empty", children: "Loading \u2026" })
    ] }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "held-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "held-title", children: "Waiting for a limit" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: waiting.value?.next ? `Among the first ${waiting.value.jobs.length} waiting jobs.` : "Jobs that wait for the next month, or for a higher limit." })
      ] }),
      waiting.value && /* @__PURE__ */ a3(Held, { jobs: held3, now })
    ] })
  ] });
}
function MonthLine({ month, now }) {
  return /* @__PURE__ */ a3("span", { class: "quiet", children: [
    month.name,
    ", until ",
    clock(month.ends, now),
    " (",
    month.time_zone,
    " months)"
  ] });
}
function Limits({ spending }) {
  if (!spending.readable) {
    return /* @__PURE__ */ a3("p", { class: "nothing", children: "The spending limits cannot be read. No jobs start until an operator applies valid limits." });
  }
  if (!spending.month) {
    return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "No spending limits are set. Set them with `sagequeue spending apply`." });
  }
  if (!spending.uses.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "Nothing spent this month." });
  const uses2 = [...spending.uses].sort((one, other) => share3(other) - share3(one));
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Limit" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Applies to" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Used, and forecast" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Used" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Running" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Limit is" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Forecast" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "State" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: uses2.map((use) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: use.limit }),
      /* @__PURE__ */ a3("td", { class: "clipped", title: use.scope, children: [
        use.kind,
        " ",
        use.scope
      ] }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Meter, { use }) }),
      /* @__PURE__ */ a3("td", { class: "number", children: amount(use.used, use) }),
      /* @__PURE__ */ a3("td", { class: "number", children: amount(use.running, use) }),
      /* @__PURE__ */ a3("td", { class: "number", children: amount(use.most, use) }),
      /* @__PURE__ */ a3("td", { class: "number", children: amount(use.forecast, use) }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3("span", { class: `mode limit-${use.state}`, children: use.state.replaceAll("_", " ") }) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: use.reason })
    ] }, `${use.limit} ${use.kind} ${use.scope}`)) })
  ] });
}
function Meter({ use }) {
  if (use.used === null) return /* @__PURE__ */ a3("span", { class: "quiet", children: "not known" });
  const percent = (value) => use.most ? Math.min(100, value / use.most * 100) : 100;
  const said2 = `${amount(use.used, use)} of ${amount(use.most, use)}, ${amount(use.forecast, use)} forecast for the month`;
  return /* @__PURE__ */ a3("span", { class: "share", children: [
    /* @__PURE__ */ a3("span", { class: "track", role: "img", "aria-label": said2, title: said2, children: [
      /* @__PURE__ */ a3("span", { class: `bar limit-${use.state}`, style: { left: "0", width: `${percent(use.used)}%` } }),
      use.forecast !== null && /* @__PURE__ */ a3("span", { class: "due", style: { left: `max(0px, ${percent(use.forecast)}% - 2px)` } })
    ] }),
    /* @__PURE__ */ a3("span", { class: "quiet", children: [
      use.most ? Math.round(use.used / use.most * 100) : 100,
      " %"
    ] })
  ] });
}
function Held({ jobs, now }) {
  if (!jobs.length) return /* @__PURE__ */ a3("p", { class: "nothing quiet", children: "None." });
  return /* @__PURE__ */ a3("table", { children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Job" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Owner" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Age" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Why" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: jobs.map((job) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: /* @__PURE__ */ a3("a", { href: linkTo(job.name), children: job.name }) }),
      /* @__PURE__ */ a3("td", { title: job.owner, children: person(job.owner) }),
      /* @__PURE__ */ a3("td", { class: "number", children: since(job.submitted_at, now) }),
      /* @__PURE__ */ a3("td", { class: "wraps", children: why(job) })
    ] }, job.name)) })
  ] });
}
function share3(use) {
  if (use.used === null || !use.most) return Number.POSITIVE_INFINITY;
  return use.used / use.most;
}
function amount(value, use) {
  if (value === null) return "not known";
  return use.measure === "dollars" ? dollars(value) : `${value.toFixed(1)} GPU h`;
}

// src/teams_view.tsx
function TeamsView({ queue }) {
  const teams = Object.entries(queue?.teams ?? {}).sort(([, one], [, other]) => other.weight - one.weight);
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("h1", { class: "unseen", children: "Teams" }),
    /* @__PURE__ */ a3("section", { "aria-labelledby": "teams-title", children: [
      /* @__PURE__ */ a3("header", { class: "section-head", children: [
        /* @__PURE__ */ a3("h2", { id: "teams-title", children: "Teams" }),
        /* @__PURE__ */ a3("span", { class: "quiet", children: "Within one priority, the team with the least recent use by weight starts next; recent use counts more. An idle guarantee is lent to other teams." })
      ] }),
      queue && !teams.length && /* @__PURE__ */ a3("p", { class: "empty", children: "The queue has no teams: priority and age decide. Set teams with the stack's parameter Teams." }),
      queue && teams.length > 0 && /* @__PURE__ */ a3(Teams, { teams, budget: queue.budget })
    ] })
  ] });
}
function Teams({ teams, budget }) {
  const weights = teams.reduce((sum2, [, team]) => sum2 + team.weight, 0);
  const held3 = teams.reduce((sum2, [, team]) => sum2 + total(team.running), 0);
  const limit = Object.values(budget).reduce((sum2, line) => sum2 + line.limit, 0);
  return /* @__PURE__ */ a3("table", { class: "teams", children: [
    /* @__PURE__ */ a3("thead", { children: /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "col", children: "Team" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Running, and share by weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Running on" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Guaranteed" }),
      /* @__PURE__ */ a3("th", { scope: "col", children: "Borrowed" }),
      /* @__PURE__ */ a3(
        "th",
        {
          scope: "col",
          class: "number",
          title: "Recent use counts more; running attempts count with their expected run time",
          children: "Recent use"
        }
      ),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "By weight" }),
      /* @__PURE__ */ a3("th", { scope: "col", class: "number", children: "Waiting" })
    ] }) }),
    /* @__PURE__ */ a3("tbody", { children: teams.map(([name, team]) => /* @__PURE__ */ a3("tr", { children: [
      /* @__PURE__ */ a3("th", { scope: "row", children: name }),
      /* @__PURE__ */ a3("td", { class: "number", children: team.weight }),
      /* @__PURE__ */ a3("td", { children: /* @__PURE__ */ a3(Share, { held: total(team.running), all: held3, limit, due: team.weight / weights }) }),
      /* @__PURE__ */ a3("td", { children: told(team.running) || /* @__PURE__ */ a3(Nothing, {}) }),
      /* @__PURE__ */ a3("td", { children: told(team.guarantee) || /* @__PURE__ */ a3(Nothing, {}) }),
      /* @__PURE__ */ a3("td", { children: Object.keys(team.guarantee).length ? told(borrowed(team)) || /* @__PURE__ */ a3(Nothing, {}) : /* @__PURE__ */ a3(Nothing, {}) }),
      /* @__PURE__ */ a3("td", { class: "number", children: usage(team, 1) }),
      /* @__PURE__ */ a3("td", { class: "number", children: usage(team, team.weight) }),
      /* @__PURE__ */ a3("td", { class: "number", children: team.queued })
    ] }, name)) })
  ] });
}
function Share({ held: held3, all, limit, due }) {
  const percent = (part) => `${Math.round(part * 100)} %`;
  const said2 = `${plural(held3, "instance")} of ${all} that teams run; ${percent(due)} by weight`;
  return /* @__PURE__ */ a3("span", { class: "share", children: [
    /* @__PURE__ */ a3("span", { class: "track", role: "img", "aria-label": said2, title: said2, children: [
      /* @__PURE__ */ a3("span", { class: "bar running", style: { left: "0", width: limit ? `${held3 / limit * 100}%` : "0" } }),
      all > 0 && /* @__PURE__ */ a3("span", { class: "due", style: { left: `${due * all / limit * 100}%` } })
    ] }),
    /* @__PURE__ */ a3("span", { class: "quiet", children: [
      all > 0 && `${percent(held3 / all)}, `,
      "due ",
      percent(due)
    ] })
  ] });
}
function usage(team, weight) {
  const seconds = team.used_instance_seconds;
  return seconds === void 0 ? "" : `${(seconds / 3600 / weight).toFixed(1)} h`;
}
function Nothing() {
  return /* @__PURE__ */ a3("span", { class: "quiet", children: "none" });
}
function borrowed(team) {
  const beyond = Object.entries(team.running).map(
    ([kind, count]) => [kind, count - (team.guarantee[kind] ?? 0)]
  );
  return Object.fromEntries(beyond.filter(([, count]) => count > 0));
}

// src/page.tsx
var SELDOM = 6e4;
function Page() {
  const route = useRoute();
  const notes = useNotes();
  const queue = usePolled(() => read("queue"), "queue");
  const me = usePolled(() => read("whoami"), "me", SELDOM);
  const acting = { me: me.value, notes, look: queue.look };
  return /* @__PURE__ */ a3($, { children: [
    /* @__PURE__ */ a3("a", { class: "skip", href: "#main", children: "To the jobs" }),
    /* @__PURE__ */ a3(Head, { route, queue: queue.value, me: me.value }),
    /* @__PURE__ */ a3("main", { id: "main", tabIndex: -1, children: [
      queue.error && /* @__PURE__ */ a3(Trouble, { error: queue.error }),
      queue.error?.code !== "no_access" && /* @__PURE__ */ a3(Shown, { route, queue: queue.value, acting })
    ] }),
    /* @__PURE__ */ a3(NoteList, { notes })
  ] });
}
function Shown({ route, queue, acting }) {
  switch (route.view) {
    case "job":
      return /* @__PURE__ */ a3(JobView, { name: route.job, acting }, route.job);
    case "capacity":
      return /* @__PURE__ */ a3(CapacityView, { queue });
    case "teams":
      return /* @__PURE__ */ a3(TeamsView, { queue });
    case "spending":
      return /* @__PURE__ */ a3(SpendingView, {});
    case "history":
      return /* @__PURE__ */ a3(HistoryView, {});
    case "guardrails":
      return /* @__PURE__ */ a3(GuardrailsView, {});
    default:
      return /* @__PURE__ */ a3(NowView, { queue, acting });
  }
}
function Head({ route, queue, me }) {
  return /* @__PURE__ */ a3("header", { class: "head", children: [
    /* @__PURE__ */ a3("a", { class: "brand", href: "#/now", children: [
      /* @__PURE__ */ a3("img", { src: "/icon.svg", alt: "", width: "18", height: "18" }),
      " SageQueue"
    ] }),
    /* @__PURE__ */ a3("nav", { "aria-label": "Views", children: Object.entries(VIEWS).map(([view, label]) => /* @__PURE__ */ a3("a", { href: `#/${view}`, "aria-current": route.view === view ? "page" : void 0, children: label }, view)) }),
    /* @__PURE__ */ a3("span", { class: "grow" }),
    queue && !queue.intake_open && /* @__PURE__ */ a3("strong", { class: "drained", children: "drained: new jobs are refused" }),
    queue && /* @__PURE__ */ a3(Counts, { queue }),
    me && /* @__PURE__ */ a3("span", { class: "quiet", title: `${me.arn}, may ${me.verbs.join(", ") || "read only"}`, children: person(me.arn) })
  ] });
}
function Counts({ queue }) {
  const others = (queue.by_state.held ?? 0) + (queue.by_state.parked ?? 0);
  return /* @__PURE__ */ a3("dl", { class: "counts", "aria-label": "The queue at a glance", children: [
    /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "running" }),
      /* @__PURE__ */ a3("dd", { children: queue.live })
    ] }),
    /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "waiting" }),
      /* @__PURE__ */ a3("dd", { children: queue.queued })
    ] }),
    others > 0 && /* @__PURE__ */ a3("div", { children: [
      /* @__PURE__ */ a3("dt", { children: "held or parked" }),
      /* @__PURE__ */ a3("dd", { children: others })
    ] })
  ] });
}
await enter();
Q(/* @__PURE__ */ a3(Page, {}), document.body);
