"""A node's page: how it fares, what to do about what is wrong, and orders that it obeys."""

import os
import signal

import pytest

from conftest import Page
from test_account import ask
from test_every_page import OWNER, TRAINER, session, set_cookie

NODE = "n-studio"


@pytest.fixture(scope="module")
def base(demo):
    return demo["dashboard"].rstrip("/")


@pytest.fixture(scope="module")
def phone(demo, base):
    page = Page(390, 844)
    set_cookie(page, base, *session(demo, base, OWNER, None))
    yield page
    page.close()


def go(page, base, node=NODE):
    page.driver.get(f"{base}/nodes/{node}")
    page.wait(lambda: page.run("return document.querySelector('#main .pill')?.textContent") not in (None, ""), 30, node)


def state(page):
    return page.run("return document.querySelector('#main .pill').dataset.state")


def press(page, op):
    page.wait(lambda: page.run("""
        const button = document.querySelector(`[data-op='${arguments[0]}']`);
        if (button === null || button.hidden || button.disabled) return false;
        button.click();
        return true;
    """, op), 40, op)


def log(page):
    return page.run("return document.getElementById('node-log').textContent")


def test_a_node_says_how_it_fares_and_answers(phone, base):
    go(phone, base)
    phone.wait(lambda: state(phone) == "listening", 40, "that it listens")
    facts = phone.run("return [...document.querySelectorAll('#node-facts > div')].map((one) => one.dataset.fact)")
    assert {"adverts", "beacons", "adapter", "machine", "clock", "version", "configuration"} <= set(facts)
    press(phone, "identify")
    # A simulated node has no light, and says so.
    phone.wait(lambda: "Failed: Blink (it has no light" in log(phone), 30, "what it answers")
    phone.screenshot("node")
    assert phone.run("return document.documentElement.scrollWidth") <= 390


def test_a_node_stops_listening_only_when_asked_twice_and_begins_again(phone, base):
    go(phone, base)
    press(phone, "scan-stop")
    assert state(phone) == "listening"
    phone.run("document.querySelector('dialog form').requestSubmit()")
    try:
        phone.wait(lambda: state(phone) == "stopped", 60, "that it has stopped")
    finally:
        press(phone, "scan-start")
    phone.wait(lambda: state(phone) == "listening", 60, "that it listens again")


def test_what_is_wrong_with_a_node_comes_with_what_to_do(phone, demo, base):
    pid = next(one["pid"] for one in demo["processes"] if one["name"] == NODE)
    go(phone, base)
    os.kill(pid, signal.SIGSTOP)
    try:
        said = phone.wait(lambda: phone.run("return document.querySelector('#node-alerts [data-alert=offline]')?.innerText"),
                          90, "that it is offline")
        assert "Is it plugged in" in said
        assert phone.run("return [...document.querySelectorAll('[data-op]')].every((one) => one.disabled || one.hidden)")
        phone.driver.get(base + "/")
        link = phone.wait(lambda: phone.run(
            "return document.querySelector('#needs [data-alert=offline] a')?.getAttribute('href')"), 30, "the way to it")
        assert link == f"/nodes/{NODE}"
        phone.driver.get(base + "/nodes")
        first = phone.wait(lambda: (phone.rows("#node-rows") or [None])[0], 30, "nodes")
        assert first["node"] == NODE
    finally:
        os.kill(pid, signal.SIGCONT)
    go(phone, base)
    phone.wait(lambda: state(phone) == "listening", 60, "that it listens again")


def test_a_node_that_is_none_says_so_and_its_form_opens_from_its_page(phone, base):
    go(phone, base, "n-none")
    assert "This node does not exist" in phone.run("return document.querySelector('#main').innerText")
    phone.driver.get(f"{base}/setup/nodes#{NODE}")
    phone.wait(lambda: phone.run("return document.querySelector('dialog [name=name]')?.value ?? ''") != "", 20, "its form")


def test_who_may_not_give_orders_has_no_buttons(demo, base):
    page = Page(390, 844)
    try:
        set_cookie(page, base, *session(demo, base, TRAINER, None, "no-person"))
        go(page, base)
        assert page.run("return document.querySelectorAll('[data-op]').length") == 0
    finally:
        page.close()


def test_what_happened_before_the_page_was_opened_stands_there(phone, demo, base):
    events = ask(demo, "GET", f"/api/v1/nodes/{NODE}/events")["events"]
    assert any(one["kind"] == "started" for one in events)
    go(phone, base)
    phone.wait(lambda: "Started" in phone.run("return document.getElementById('node-log').textContent"), 20, "its start")
